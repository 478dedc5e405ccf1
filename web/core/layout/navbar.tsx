import { ActionIcon, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import { useUser, type UserData } from '../api/auth-state.ts'
import { logOut } from '../api/session.ts'
import { changeLanguage, useLanguage, useT } from '../i18n/i18n.ts'
import { languageNames, offered } from '../i18n/languages.ts'
import { setLayout, setTheme, useLayoutSettings, useThemeSettings } from '../theme/settings.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Dropdown } from '../ui/dropdown.tsx'
import { Icon } from '../ui/icon.tsx'

const Customiser = lazy(() => import('./customiser.tsx').then((module) => ({ default: module.Customiser })))

export const displayNameOf = (user: UserData | null) => user?.displayName ?? user?.name ?? user?.authID ?? ''

const themes = ['light', 'dark', 'system'] as const

function ThemeMenu() {
  const t = useT('shell')
  const { theme } = useThemeSettings()
  return (
    <Dropdown
      button={(props) => (
        <ActionIcon {...props} variant="subtle" color="gray" c="inherit" size={38} radius="xl" aria-label={t('shell:theme.label', { theme: t(`shell:theme.${theme}`) })}>
          <Icon name={theme} size={22} />
        </ActionIcon>
      )}
    >
      {(close) =>
        themes.map((name) => (
          <button
            key={name}
            type="button"
            className="menu-entry"
            aria-pressed={name === theme}
            onClick={() => {
              setTheme({ theme: name })
              close()
            }}
          >
            <Icon name={name} size={18} />
            {t(`shell:theme.${name}`)}
          </button>
        ))
      }
    </Dropdown>
  )
}

function LanguageMenu() {
  const t = useT('shell')
  const current = useLanguage()
  if (offered.length < 2) return null
  return (
    <Dropdown
      button={(props) => (
        <ActionIcon {...props} variant="subtle" color="gray" c="inherit" size={38} radius="xl" aria-label={t('shell:language', { name: languageNames[current] })}>
          <Icon name="language" size={22} />
        </ActionIcon>
      )}
    >
      {(close) =>
        offered.map((language) => (
          <button
            key={language}
            type="button"
            lang={language}
            className="menu-entry"
            aria-pressed={language === current}
            onClick={() => {
              void changeLanguage(language)
              close()
            }}
          >
            {languageNames[language]}
          </button>
        ))
      }
    </Dropdown>
  )
}

function AccountMenu() {
  const t = useT('shell')
  const user = useUser()
  const navigate = useNavigate()
  const name = displayNameOf(user)
  const leave = async () => {
    await logOut()
    await navigate({ to: '/login', search: {} })
  }
  return (
    <Dropdown
      button={(props) => (
        <UnstyledButton {...props} className="account-button" aria-label={t('shell:account', { name })}>
          <Avatar name={name} isFilled size={38} />
        </UnstyledButton>
      )}
    >
      {() => (
        <>
          <p className="account-card">
            <Avatar name={name} size={40} />
            <span className="account-text">
              <span className="strong">{name}</span>
              <span className="muted small">{user?.roleName ?? user?.email ?? ''}</span>
            </span>
          </p>
          <button type="button" className="menu-entry" onClick={() => void leave()}>
            <Icon name="logout" size={18} />
            {t('shell:logOut')}
          </button>
        </>
      )}
    </Dropdown>
  )
}

/** The bar above every staff page; it stays on top while the page scrolls. */
export function Navbar({ isOverlay, onOpenNav }: { isOverlay: boolean; onOpenNav: () => void }) {
  const t = useT('shell')
  const layout = useLayoutSettings()
  const [isCustomising, setCustomising] = useState(false)
  const navLabel = isOverlay ? t('shell:openNav') : layout.isNavCollapsed ? t('shell:expandNav') : t('shell:collapseNav')
  return (
    <div className="navbar-place no-print" data-blur={layout.isNavbarBlurred}>
      <section className="navbar card" aria-label={t('shell:topBar')}>
        <ActionIcon variant="subtle" color="gray" c="inherit" size={38} radius="xl" aria-label={navLabel} aria-expanded={isOverlay ? undefined : !layout.isNavCollapsed} onClick={() => (isOverlay ? onOpenNav() : setLayout({ isNavCollapsed: !layout.isNavCollapsed }))}>
          <Icon name="menu" size={22} />
        </ActionIcon>
        <div className="navbar-end">
          <LanguageMenu />
          <ThemeMenu />
          <ActionIcon variant="subtle" color="gray" c="inherit" size={38} radius="xl" aria-label={t('shell:customise')} title={t('shell:customise')} onClick={() => setCustomising(true)}>
            <Icon name="settings" size={22} />
          </ActionIcon>
          <AccountMenu />
        </div>
      </section>
      {isCustomising ? (
        <Suspense>
          <Customiser onClose={() => setCustomising(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

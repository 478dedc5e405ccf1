import { ActionIcon, Menu, Tooltip, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import { useUser, type UserData } from '../api/auth-state.ts'
import { logOut } from '../api/session.ts'
import { changeLanguage, useLanguage, useT } from '../i18n/i18n.ts'
import { languageNames, offered } from '../i18n/languages.ts'
import { setLayout, setTheme, useLayoutSettings, useThemeSettings } from '../theme/settings.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Icon } from '../ui/icon.tsx'

const Customiser = lazy(() => import('./customiser.tsx').then((module) => ({ default: module.Customiser })))

export const displayNameOf = (user: UserData | null) => user?.displayName ?? user?.name ?? user?.authID ?? ''

const themes = ['light', 'dark', 'system'] as const

function ThemeMenu() {
  const t = useT('shell')
  const { theme } = useThemeSettings()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="inherit" size={38} radius="xl" aria-label={t('shell:theme.label', { theme: t(`shell:theme.${theme}`) })}>
          <Icon name={theme} size={22} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {themes.map((name) => (
          <Menu.Item key={name} role="menuitemradio" aria-checked={name === theme} leftSection={<Icon name={name} size={18} />} rightSection={name === theme ? <Icon name="check" size={16} /> : null} onClick={() => setTheme({ theme: name })}>
            {t(`shell:theme.${name}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function LanguageMenu() {
  const t = useT('shell')
  const current = useLanguage()
  if (offered.length < 2) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="inherit" size={38} radius="xl" aria-label={t('shell:language', { name: languageNames[current] })}>
          <Icon name="language" size={22} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map((language) => (
          <Menu.Item key={language} lang={language} role="menuitemradio" aria-checked={language === current} rightSection={language === current ? <Icon name="check" size={16} /> : null} onClick={() => void changeLanguage(language)}>
            {languageNames[language]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
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
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className="account-button" aria-label={t('shell:account', { name })}>
          <Avatar name={name} isFilled size={38} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <span className="account-card">
            <Avatar name={name} size={40} />
            <span className="account-text">
              <span className="strong">{name}</span>
              <span className="muted small">{user?.roleName ?? user?.email ?? ''}</span>
            </span>
          </span>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="logout" size={18} />} onClick={() => void leave()}>
          {t('shell:logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
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
      <header className="navbar card">
        <ActionIcon variant="subtle" color="gray" c="inherit" size={38} radius="xl" aria-label={navLabel} aria-expanded={isOverlay ? undefined : !layout.isNavCollapsed} onClick={() => (isOverlay ? onOpenNav() : setLayout({ isNavCollapsed: !layout.isNavCollapsed }))}>
          <Icon name="menu" size={22} />
        </ActionIcon>
        <div className="navbar-end">
          <LanguageMenu />
          <ThemeMenu />
          <Tooltip label={t('shell:customise')}>
            <ActionIcon variant="subtle" color="gray" c="inherit" size={38} radius="xl" aria-label={t('shell:customise')} onClick={() => setCustomising(true)}>
              <Icon name="settings" size={22} />
            </ActionIcon>
          </Tooltip>
          <AccountMenu />
        </div>
      </header>
      {isCustomising ? (
        <Suspense>
          <Customiser onClose={() => setCustomising(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

import { ActionIcon, UnstyledButton } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { maintenanceApi } from '../../../contract/maintenance.ts'
import { useUser, type UserData } from '../api/auth-state.ts'
import { useCan } from '../api/can.ts'
import { changeLanguage, useLanguage, useT } from '../i18n/i18n.ts'
import { languageFacts, languages } from '../../../contract/core/languages.ts'
import { places, settingsPath, profilePath } from '../../../contract/places.ts'
import { setTheme, useThemeSettings } from '../theme/settings.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Dropdown } from '../ui/dropdown.tsx'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icons.ts'
import { AppLink } from '../ui/link.tsx'
import { leave } from './leave.ts'
import { openOverlay } from './overlays.ts'
import { usePages } from './use-pages.ts'

const displayNameOf = (user: UserData | null) => user?.displayName ?? user?.name ?? user?.authID ?? ''

/** How every round button of the bar looks. */
export const barButton = { variant: 'subtle', color: 'gray', c: 'inherit', size: 38, radius: 'xl' } as const

const themes = ['light', 'dark', 'system'] as const

export function ThemeMenu() {
  const t = useT('shell')
  const { theme } = useThemeSettings()
  const label = t('shell:theme.label', { theme: t(`shell:theme.${theme}`) })
  return (
    <Dropdown
      button={(props) => (
        <ActionIcon {...props} {...barButton} aria-label={label} title={label}>
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

/** Languages whose phrases are complete; with one alone there is nothing to choose. */
export function LanguageMenu() {
  const t = useT('shell')
  const current = useLanguage()
  const label = t('shell:language', { name: languageFacts[current].name })
  return (
    <Dropdown
      button={(props) => (
        <ActionIcon {...props} {...barButton} aria-label={label} title={label}>
          <Icon name="language" size={22} />
        </ActionIcon>
      )}
    >
      {(close) =>
        languages.map((language) => (
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
            {languageFacts[language].name}
          </button>
        ))
      }
    </Dropdown>
  )
}

function Entry({
  icon,
  label,
  onClick,
  className = '',
}: {
  icon: IconName
  label: string
  onClick: () => void
  className?: string
}) {
  return (
    <button type="button" className={`menu-entry ${className}`} onClick={onClick}>
      <Icon name={icon} size={18} />
      {label}
    </button>
  )
}

export function AccountMenu() {
  const t = useT('shell')
  const user = useUser()
  const router = useRouter()
  const { has } = usePages()
  const mayMaintain = useCan(maintenanceApi.set)
  const [isLeaving, setLeaving] = useState(false)
  const name = displayNameOf(user)
  const own = [
    { path: places.profile, to: profilePath('profile'), icon: 'user', label: t('shell:profile') },
    {
      path: places.settings,
      to: settingsPath('account'),
      icon: 'settings',
      label: t('shell:accountSettings'),
    },
    { path: places.accessControl, to: places.accessControl, icon: 'permission', label: t('shell:accessControl') },
  ] as const
  const goOut = () => {
    if (isLeaving) return
    setLeaving(true)
    void leave(router)
  }
  return (
    <Dropdown
      button={(props) => (
        <UnstyledButton {...props} className="account-button" aria-label={t('shell:account', { name })}>
          <Avatar name={name} isFilled size={38} />
        </UnstyledButton>
      )}
    >
      {(close) => (
        <>
          <p className="account-card">
            <Avatar name={name} size={40} />
            <span className="account-text">
              <span className="strong">{name}</span>
              <span className="muted small">{user?.roleName ?? user?.email ?? ''}</span>
            </span>
          </p>
          {own
            .filter(({ path }) => has(path))
            .map(({ to, icon, label }) => (
              <AppLink key={to} to={to} className="menu-entry" onClick={close}>
                <Icon name={icon} size={18} />
                {label}
              </AppLink>
            ))}
          <Entry
            icon="palette"
            className="narrow-only"
            label={t('shell:customise')}
            onClick={() => {
              close()
              openOverlay('customiser')
            }}
          />
          <Entry
            icon="keyboard"
            label={t('shell:shortcuts')}
            onClick={() => {
              close()
              openOverlay('shortcuts')
            }}
          />
          {mayMaintain ? (
            <Entry
              icon="maintenance"
              label={t('shell:maintenance.manage')}
              onClick={() => {
                close()
                openOverlay('maintenance')
              }}
            />
          ) : null}
          <hr className="menu-line" />
          <Entry icon="logout" label={t('shell:logOut')} onClick={goOut} />
        </>
      )}
    </Dropdown>
  )
}

import { ActionIcon } from '@mantine/core'
import { useT } from '../i18n/i18n.ts'
import { paletteKeys } from '../palette/keys.ts'
import { setLayout, useLayoutSettings, useThemeSettings } from '../theme/settings.ts'
import { Icon } from '../ui/icon.tsx'
import { AppLink } from '../ui/link.tsx'
import { Brand } from './brand.tsx'
import { BusinessMenu } from './business-menu.tsx'
import { ShortcutsMenu } from './shortcuts-menu.tsx'
import { AccountMenu, LanguageMenu, ThemeMenu, barButton } from './navbar-menus.tsx'
import { NotificationsMenu } from './notifications-menu.tsx'
import { openOverlay } from './overlays.ts'

function SearchButton() {
  const t = useT('shell')
  return (
    <button
      type="button"
      className="search-button"
      title={t('shell:search')}
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      onClick={() => openOverlay('palette')}
    >
      <Icon name="search" size={22} />
      <span className="search-words">{t('shell:search')}</span>
      <span className="search-keys" aria-hidden="true">
        {paletteKeys.map((key) => (
          <kbd key={key} className="bar-key">
            {key}
          </kbd>
        ))}
      </span>
    </button>
  )
}

/** The bar above every staff page. */
export function Navbar({ isOverlay, onOpenNav }: { isOverlay: boolean; onOpenNav: () => void }) {
  const t = useT('shell')
  const layout = useLayoutSettings()
  const { layoutNav } = useThemeSettings()
  const navLabel = isOverlay
    ? t('shell:openNav')
    : layout.isNavCollapsed
      ? t('shell:expandNav')
      : t('shell:collapseNav')
  const isAbove = layoutNav === 'horizontal' && !isOverlay
  return (
    <section className="navbar card" aria-label={t('shell:topBar')}>
      {isAbove ? (
        <AppLink to="/" className="brand-link">
          <Brand />
        </AppLink>
      ) : (
        <ActionIcon
          {...barButton}
          aria-label={navLabel}
          title={navLabel}
          aria-expanded={isOverlay ? undefined : !layout.isNavCollapsed}
          onClick={() => (isOverlay ? onOpenNav() : setLayout({ isNavCollapsed: !layout.isNavCollapsed }))}
        >
          <Icon name="menu" size={22} />
        </ActionIcon>
      )}
      <SearchButton />
      <div className="navbar-end">
        <BusinessMenu />
        <ShortcutsMenu />
        <LanguageMenu />
        <ThemeMenu />
        <ActionIcon
          {...barButton}
          className="customise-button"
          aria-label={t('shell:customise')}
          title={t('shell:customise')}
          aria-haspopup="dialog"
          onClick={() => openOverlay('customiser')}
        >
          <Icon name="palette" size={22} />
        </ActionIcon>
        <NotificationsMenu />
        <AccountMenu />
      </div>
    </section>
  )
}

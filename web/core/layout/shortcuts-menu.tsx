import { ActionIcon } from '@mantine/core'
import { useT } from '../i18n/i18n.ts'
import { Dropdown } from '../ui/dropdown.tsx'
import { Icon } from '../ui/icon.tsx'
import { AppLink } from '../ui/link.tsx'
import { barButton } from './navbar-menus.tsx'
import { openOverlay } from './overlays.ts'
import { usePages } from './use-pages.ts'

/** The shortcuts of the bar: what the user may make, from wherever he is, and the keys that do the same. */
export function ShortcutsMenu() {
  const t = useT('shell')
  const { commands } = usePages()
  const label = t('shell:quick')
  return (
    <Dropdown
      button={(props) => (
        <ActionIcon {...props} {...barButton} className="wide-only" aria-label={label} title={label}>
          <Icon name="apps" size={22} />
        </ActionIcon>
      )}
    >
      {(close) => (
        <>
          {commands.map(({ path, command }) => (
            <AppLink key={path} to={path} className="menu-entry" onClick={close}>
              <Icon name={command.icon} size={18} />
              {t(command.label)}
            </AppLink>
          ))}
          {commands.length ? <hr className="menu-line" /> : null}
          <button
            type="button"
            className="menu-entry"
            onClick={() => {
              close()
              openOverlay('shortcuts')
            }}
          >
            <Icon name="keyboard" size={18} />
            {t('shell:shortcuts')}
          </button>
        </>
      )}
    </Dropdown>
  )
}

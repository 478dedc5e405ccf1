import { useT } from '../core/i18n/i18n.ts'
import { usePageActions } from '../core/layout/page-actions.ts'
import { Dropdown } from '../core/ui/dropdown.tsx'
import { Icon } from '../core/ui/icon.tsx'
import type { IconName } from '../core/ui/icons.ts'
import './record.css'

export interface MoreItem {
  key: string
  label: string
  icon: IconName
  onClick: () => void
  /** Why it cannot be done now; shown below the words. */
  disabledReason?: string | null | false
  isDangerous?: boolean
  /** Left out: the role does not include it. */
  isHidden?: boolean
}

/** The actions that are not needed every day, behind one button. */
export function MoreMenu({ items }: { items: readonly MoreItem[] }) {
  const t = useT('record')
  const shown = items.filter((item) => !item.isHidden)
  usePageActions(
    shown.map(({ label, icon, onClick, disabledReason }) => ({ label, icon, onClick, isOffered: !disabledReason })),
  )
  if (!shown.length) return null
  return (
    <Dropdown
      button={(props) => (
        <button {...props} type="button" className="button-link quiet more-button">
          <Icon name="more" size={18} />
          {t('record:more')}
        </button>
      )}
    >
      {(close) =>
        shown.map((item) => (
          <button
            key={item.key}
            type="button"
            className={`menu-entry ${item.isDangerous ? 'danger' : ''}`}
            aria-disabled={Boolean(item.disabledReason)}
            onClick={() => {
              if (item.disabledReason) return
              close()
              item.onClick()
            }}
          >
            <Icon name={item.icon} size={18} />
            <span>
              {item.label}
              {item.disabledReason ? <span className="small muted block">{item.disabledReason}</span> : null}
            </span>
          </button>
        ))
      }
    </Dropdown>
  )
}

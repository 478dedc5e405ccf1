import { Switch } from '@mantine/core'
import { isOpenState, type Attachment } from '../../contract/files.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Dropdown } from '../core/ui/dropdown.tsx'
import { Icon } from '../core/ui/icon.tsx'
import type { IconName } from '../core/ui/icons.ts'
import { isSeenByCustomers } from './access.ts'
import type { AttachmentDeeds } from './use-attachment-deeds.ts'

export interface AttachmentToolsProps {
  attachment: Attachment
  deeds: AttachmentDeeds
  mayWrite: boolean
  onCaption: () => void
  /** After it was detached: whoever shows it goes on. */
  onDetached?: () => void
}

/** The switch for the customer, and the menu. */
export function AttachmentTools({ attachment, deeds, mayWrite, onCaption, onDetached }: AttachmentToolsProps) {
  const t = useT('files')
  const { file, forCustomer, owner } = attachment
  const { name } = file
  const isOpen = isOpenState(file.scan)
  const detach = async () => {
    await deeds.detach(attachment)
    onDetached?.()
  }
  const entries: { label: string; icon: IconName; run: () => void; isOffered: boolean }[] = [
    { label: t('files:download'), icon: 'download', run: () => deeds.download(attachment), isOffered: isOpen },
    { label: t('files:caption'), icon: 'edit', run: onCaption, isOffered: mayWrite },
    { label: t('files:detach'), icon: 'close', run: () => void detach(), isOffered: mayWrite },
  ]
  const offered = entries.filter(({ isOffered }) => isOffered)
  return (
    <div className="file-row-tools">
      {isSeenByCustomers(owner.noun) && (isOpen || forCustomer) ? (
        <Switch
          size="sm"
          label={t('files:show')}
          aria-label={t('files:showFile', { name })}
          checked={forCustomer}
          disabled={!mayWrite}
          onChange={(event) => deeds.show(attachment, event.currentTarget.checked)}
        />
      ) : null}
      {offered.length > 0 ? (
        <Dropdown
          button={(props) => (
            <button {...props} type="button" className="file-menu-button" aria-label={t('files:options', { name })}>
              <Icon name="more" size={18} />
            </button>
          )}
        >
          {(close) =>
            offered.map(({ label, icon, run }) => (
              <button
                key={icon}
                type="button"
                className="menu-entry"
                onClick={() => {
                  close()
                  run()
                }}
              >
                <Icon name={icon} size={18} />
                <span>{label}</span>
              </button>
            ))
          }
        </Dropdown>
      ) : null}
    </div>
  )
}

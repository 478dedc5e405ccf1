import { ActionIcon } from '@mantine/core'
import { memo } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { useOnDemand } from '../core/ui/when-open.tsx'
import type { LineActions } from './line-row.tsx'

export interface LineMenuProps {
  lineKey: string
  position: number
  kind: 'fixed' | 'optional' | 'alternative' | 'heading'
  hasOptions: boolean
  hasText: boolean
  /** `open` where its quantity is left to the customer, else how much of it is quoted. */
  range: string
  /** Where its revenue is counted; undefined where the product says it. */
  streamGuid: string | null | undefined
  isFirst: boolean
  isLast: boolean
  actions: LineActions
  onText: () => void
}

const load = async () => (await import('./opened-line-menu.tsx')).OpenedLineMenu

/**
 * The button of a line's menu. The menu itself is fetched and made when it is first opened: a hundred
 * lines would else have a hundred.
 */
export const LineMenu = memo(function LineMenu(props: LineMenuProps) {
  const t = useT('lines')
  const [Opened, open] = useOnDemand(load)
  return (
    <div className="line-menu">
      {Opened ? (
        <Opened {...props} />
      ) : (
        <ActionIcon
          variant="subtle"
          color="gray"
          c="inherit"
          size="lg"
          aria-haspopup="menu"
          aria-label={t('lines:menuOf', { position: props.position })}
          onClick={open}
        >
          <Icon name="more" size={18} />
        </ActionIcon>
      )}
    </div>
  )
})

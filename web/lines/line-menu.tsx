import { ActionIcon, Menu } from '@mantine/core'
import { memo, useState } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import type { LineActions } from './line-row.tsx'

export interface LineMenuProps {
  lineKey: string
  position: number
  kind: 'fixed' | 'optional' | 'alternative' | 'heading'
  hasOptions: boolean
  hasText: boolean
  isFirst: boolean
  isLast: boolean
  actions: LineActions
  onText: () => void
}

/** The button of a line's menu. The menu itself is made when it is first opened: a hundred lines would else have a hundred. */
export const LineMenu = memo(function LineMenu(props: LineMenuProps) {
  const t = useT('lines')
  const [isAsked, setAsked] = useState(false)
  return (
    <div className="line-menu">
      {isAsked ? (
        <Opened {...props} />
      ) : (
        <ActionIcon
          variant="subtle"
          color="gray"
          c="inherit"
          size="lg"
          aria-haspopup="menu"
          aria-label={t('lines:menuOf', { position: props.position })}
          onClick={() => setAsked(true)}
        >
          <Icon name="more" size={18} />
        </ActionIcon>
      )}
    </div>
  )
})

function Opened({ lineKey, position, kind, hasOptions, hasText, isFirst, isLast, actions, onText }: LineMenuProps) {
  const t = useT('lines')
  const isChoice = kind === 'optional' || kind === 'alternative'
  const makeOptional = { isOptional: true, alternativeGroup: null, isSelected: false }
  const makeFixed = { isOptional: false, alternativeGroup: null, isSelected: true }
  return (
    // Whatever is chosen says itself where the focus goes.
    <Menu defaultOpened position="bottom-end" withInitialFocusPlaceholder={false} returnFocus={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="inherit" size="lg" aria-label={t('lines:menuOf', { position })}>
          <Icon name="more" size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {hasText ? null : <Menu.Item onClick={onText}>{t('lines:addDescription')}</Menu.Item>}
        {hasOptions && kind !== 'heading' && kind !== 'optional' ? (
          <Menu.Item onClick={() => actions.onMenuChange(lineKey, makeOptional)}>{t('lines:makeOptional')}</Menu.Item>
        ) : null}
        {hasOptions && isChoice ? (
          <Menu.Item onClick={() => actions.onMenuChange(lineKey, makeFixed)}>{t('lines:makeFixed')}</Menu.Item>
        ) : null}
        <Menu.Item onClick={() => actions.onCopy(lineKey)}>{t('lines:copy')}</Menu.Item>
        <Menu.Item disabled={isFirst} onClick={() => actions.onMove(lineKey, -1)}>
          {t('lines:moveUp')}
        </Menu.Item>
        <Menu.Item disabled={isLast} onClick={() => actions.onMove(lineKey, 1)}>
          {t('lines:moveDown')}
        </Menu.Item>
        <Menu.Item color="red" onClick={() => actions.onRemove(lineKey)}>
          {t('lines:remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

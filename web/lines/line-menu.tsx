import { ActionIcon, Menu } from '@mantine/core'
import { memo } from 'react'
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

export const LineMenu = memo(function LineMenu({ lineKey, position, kind, hasOptions, hasText, isFirst, isLast, actions, onText }: LineMenuProps) {
  const t = useT('lines')
  return (
    <div className="line-menu">
      {/* Whatever is chosen says itself where the focus goes. */}
      <Menu position="bottom-end" withInitialFocusPlaceholder={false} returnFocus={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" c="inherit" size="lg" aria-label={t('lines:menuOf', { position })}>
            <Icon name="more" size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {hasText ? null : <Menu.Item onClick={onText}>{t('lines:addDescription')}</Menu.Item>}
          {hasOptions && kind !== 'heading' && kind !== 'optional' ? (
            <Menu.Item onClick={() => actions.onMenuChange(lineKey, { isOptional: true, alternativeGroup: null, isSelected: false })}>{t('lines:makeOptional')}</Menu.Item>
          ) : null}
          {hasOptions && (kind === 'optional' || kind === 'alternative') ? (
            <Menu.Item onClick={() => actions.onMenuChange(lineKey, { isOptional: false, alternativeGroup: null, isSelected: true })}>{t('lines:makeFixed')}</Menu.Item>
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
    </div>
  )
})

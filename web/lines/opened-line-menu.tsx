import { ActionIcon, Menu } from '@mantine/core'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { useStreams } from './stream-names.ts'
import type { LineMenuProps } from './line-menu.tsx'
import { firstRange } from './quantity-range.ts'

/** The menu of a line, opened as soon as it is there. */
export function OpenedLineMenu({
  lineKey,
  position,
  kind,
  hasOptions,
  hasText,
  range,
  streamGuid,
  isFirst,
  isLast,
  actions,
  onText,
}: LineMenuProps) {
  const t = useT('lines')
  const streams = useStreams()
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
        {hasOptions && kind !== 'heading' ? (
          <Menu.Item
            onClick={() => actions.onMenuChange(lineKey, { range: range === 'open' ? null : firstRange(range) })}
          >
            {t(range === 'open' ? 'lines:range.close' : 'lines:range.open')}
          </Menu.Item>
        ) : null}
        {kind === 'heading' || streams.length === 0 ? null : (
          <Menu.Sub>
            <Menu.Sub.Target>
              <Menu.Sub.Item>{t('lines:stream')}</Menu.Sub.Item>
            </Menu.Sub.Target>
            <Menu.Sub.Dropdown className="line-streams">
              {[{ guid: null, name: t('lines:noStream') }, ...streams].map(({ guid, name }) => (
                <Menu.Item
                  key={guid}
                  aria-current={guid === streamGuid || undefined}
                  rightSection={guid === streamGuid ? <Icon name="check" size={16} /> : null}
                  onClick={() => actions.onMenuChange(lineKey, { revenueStreamGuid: guid })}
                >
                  {name}
                </Menu.Item>
              ))}
            </Menu.Sub.Dropdown>
          </Menu.Sub>
        )}
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

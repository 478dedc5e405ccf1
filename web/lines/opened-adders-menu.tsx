import { Button, Menu } from '@mantine/core'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import type { AddersMenuProps } from './adders-menu.tsx'

/** The menu of further kinds of lines, opened as soon as it is there. */
export function OpenedAddersMenu({ hasOptions, onAdd, onAlternative }: AddersMenuProps) {
  const t = useT('lines')
  return (
    <Menu defaultOpened position="bottom-start" withInitialFocusPlaceholder={false} returnFocus={false}>
      <Menu.Target>
        <Button variant="subtle" size="sm" rightSection={<Icon name="down" size={14} />}>
          {t('lines:addOther')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onAdd('section')}>{t('lines:addSection')}</Menu.Item>
        <Menu.Item onClick={() => onAdd('text')}>{t('lines:addText')}</Menu.Item>
        {hasOptions ? (
          <Menu.Item onClick={() => onAdd('item', { isOptional: true, isSelected: false })}>
            {t('lines:addOption')}
          </Menu.Item>
        ) : null}
        {hasOptions ? <Menu.Item onClick={onAlternative}>{t('lines:addAlternative')}</Menu.Item> : null}
      </Menu.Dropdown>
    </Menu>
  )
}

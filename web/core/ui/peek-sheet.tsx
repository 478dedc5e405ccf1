import { Drawer } from '@mantine/core'
import { useT } from '../i18n/i18n.ts'
import { DialogBody } from './dialog-body.tsx'
import { useEscape } from './escape.ts'
import { useFocusBack } from './focus-back.ts'
import type { PeekProps } from './peek.tsx'
import { unbroken } from './unbroken.tsx'

export function PeekSheet({ isOpen, onClose, title, children, actions, size = 'lg' }: PeekProps) {
  const t = useT('common')
  useFocusBack(isOpen)
  useEscape(isOpen, onClose)
  return (
    <Drawer
      returnFocus={false}
      closeOnEscape={false}
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={size}
      title={unbroken(title)}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={{ title: 'peek-title', body: 'peek-body' }}
    >
      <div className="stack peek-content">
        <DialogBody>{children}</DialogBody>
      </div>
      {actions ? <div className="row peek-actions">{actions}</div> : null}
    </Drawer>
  )
}

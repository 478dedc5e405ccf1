import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useT } from '../i18n/i18n.ts'

/** A side sheet over the page: look without leaving. */
export function Peek({ isOpen, onClose, title, children, actions, size = 'lg' }: { isOpen: boolean; onClose: () => void; title: ReactNode; children: ReactNode; actions?: ReactNode; size?: 'md' | 'lg' | 'xl' }) {
  const t = useT('common')
  return (
    <Drawer opened={isOpen} onClose={onClose} position="right" size={size} title={title} closeButtonProps={{ 'aria-label': t('common:close') }} classNames={{ title: 'peek-title', body: 'peek-body' }}>
      <div className="stack peek-content">{children}</div>
      {actions ? <div className="row peek-actions">{actions}</div> : null}
    </Drawer>
  )
}

import { Drawer } from '@mantine/core'
import { useT } from '../i18n/i18n.ts'
import { Brand } from './brand.tsx'
import { NavList } from './nav-list.tsx'

/** The navigation over the page: below 976 px. */
export function NavDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useT('shell')
  return (
    <Drawer opened={isOpen} onClose={onClose} position="left" size={276} withCloseButton={false} aria-label={t('shell:navigation')} classNames={{ body: 'nav-drawer' }}>
      <div className="nav-head">
        <Brand />
      </div>
      <NavList onMove={onClose} />
    </Drawer>
  )
}

import { Drawer } from '@mantine/core'
import { useT } from '../i18n/i18n.ts'
import { Brand } from './brand.tsx'
import { NavList } from './nav-list.tsx'

/** The navigation over the page: below 976 px. */
export function NavDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useT('shell')
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} position="left" size={276}>
      <Drawer.Overlay backgroundOpacity={0.5} />
      <Drawer.Content aria-label={t('shell:navigation')}>
        <Drawer.Body className="nav-drawer">
          <div className="nav-head">
            <Brand />
          </div>
          <NavList onMove={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

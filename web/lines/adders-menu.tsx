import { Button } from '@mantine/core'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { useOnDemand } from '../core/ui/when-open.tsx'
import type { EditableKind, EditorLine } from './line-state.ts'

export interface AddersMenuProps {
  hasOptions: boolean
  onAdd: (kind: EditableKind, more?: Partial<EditorLine>) => void
  onAlternative: () => void
}

const load = async () => (await import('./opened-adders-menu.tsx')).OpenedAddersMenu

/** Adds what is not a plain line: the menu is fetched when it is first opened. */
export function AddersMenu(props: AddersMenuProps) {
  const t = useT('lines')
  const [Opened, open] = useOnDemand(load)
  if (Opened) return <Opened {...props} />
  return (
    <Button
      variant="subtle"
      size="sm"
      rightSection={<Icon name="down" size={14} />}
      aria-haspopup="menu"
      onClick={open}
    >
      {t('lines:addOther')}
    </Button>
  )
}

import { useT } from '../core/i18n/i18n.ts'
import { Dialog } from '../core/ui/dialog.tsx'
import type { About } from './about.ts'
import { Composer } from './composer.tsx'

interface ComposeDialogProps {
  about: About
  onClose: () => void
}

/** A new message over the page of what it is about. What is written stays in the browser when it is closed. */
export function ComposeDialog({ about, onClose }: ComposeDialogProps) {
  const t = useT('compose')
  return (
    <Dialog title={t('compose:title')} size="wide" onClose={onClose}>
      <Composer about={about} onDone={onClose} onClose={onClose} />
    </Dialog>
  )
}

import { Button } from '@mantine/core'
import { useT } from '../i18n/i18n.ts'
import { Dialog, DialogActions } from './dialog.tsx'
import type { UnsavedDialogProps } from './unsaved.tsx'

export function UnsavedDialog({ isOpen, onClose, onLeave }: UnsavedDialogProps) {
  const t = useT('common')
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('common:unsaved.title')}>
      <div className="stack">
        <p className="no-margin">{t('common:unsaved.text')}</p>
        <DialogActions>
          <Button variant="default" onClick={onLeave}>
            {t('common:unsaved.leave')}
          </Button>
          <Button onClick={onClose} data-autofocus>
            {t('common:unsaved.stay')}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

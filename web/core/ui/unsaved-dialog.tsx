import { Button, Group, Modal } from '@mantine/core'
import { useT } from '../i18n/i18n.ts'
import type { UnsavedDialogProps } from './unsaved.tsx'

export function UnsavedDialog({ isOpen, onClose, onLeave }: UnsavedDialogProps) {
  const t = useT('common')
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('common:unsaved.title')} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <div className="stack">
        <p className="no-margin">{t('common:unsaved.text')}</p>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onLeave}>
            {t('common:unsaved.leave')}
          </Button>
          <Button onClick={onClose} data-autofocus>
            {t('common:unsaved.stay')}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}

import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Attachment } from '../../contract/files.ts'
import { useWholeErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DialogForm } from '../core/ui/confirm-form.tsx'

const maxLength = 200

export interface CaptionDialogProps {
  attachment: Attachment
  onSave: (caption: string) => Promise<unknown>
  onClose: () => void
}

export function CaptionDialog({ attachment, onSave, onClose }: CaptionDialogProps) {
  const t = useT('files')
  const text = useWholeErrorText()
  const [caption, setCaption] = useState(attachment.caption ?? '')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      await onSave(caption.trim())
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <DialogForm
      isOpen
      title={t('files:caption')}
      action={t('files:saveCaption')}
      onSubmit={() => void save()}
      onClose={onClose}
      isBusy={isBusy}
      problem={error ? text(error) : null}
    >
      <p className="no-margin muted small">
        <bdi>{attachment.file.name}</bdi>
      </p>
      <TextInput
        label={t('files:caption')}
        description={t('files:captionHint')}
        value={caption}
        maxLength={maxLength}
        onChange={(event) => setCaption(event.currentTarget.value)}
      />
    </DialogForm>
  )
}

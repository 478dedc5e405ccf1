import { Alert, Button } from '@mantine/core'
import { useT } from '../core/i18n/i18n.ts'
import { Dialog, DialogActions } from '../core/ui/dialog.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { toast } from '../core/ui/toast.tsx'
import './webhooks.css'

interface SecretDialogProps {
  name: string
  secret: string
  onClose: () => void
}

/** The secret of a webhook, which is shown this once. */
export function SecretDialog({ name, secret, onClose }: SecretDialogProps) {
  const t = useT('webhooks')
  const copy = async () => {
    await navigator.clipboard.writeText(secret)
    toast.success(t('webhooks:secret.copied'))
  }
  return (
    <Dialog isKept onClose={onClose} title={t('webhooks:secret.title', { name })} size="lg">
      <div className="stack">
        <Alert variant="light" color="yellow">
          {t('webhooks:secret.text')}
        </Alert>
        <code className="webhook-secret" dir="ltr" aria-label={t('webhooks:secret.label')}>
          {secret}
        </code>
        <p className="muted no-margin">{t('webhooks:secret.use')}</p>
        <DialogActions>
          {'clipboard' in navigator ? (
            <Button
              variant="default"
              leftSection={<Icon name="copy" size={18} />}
              onClick={() => void copy()}
              data-autofocus
            >
              {t('webhooks:secret.copy')}
            </Button>
          ) : null}
          <Button onClick={onClose}>{t('webhooks:secret.done')}</Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

import { Alert, Button, Group, Modal, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { messagesApi, type Message } from '../../contract/messages.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'

/** Sends the same content again, to the same or to other addresses, as a message of its own. */
export function ResendDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useT('messages', 'common')
  const text = useErrorText()
  const go = useGo()
  const [to, setTo] = useState(message.to)
  const resend = useWrite(messagesApi.resend, {
    stale: ['dashboards', 'quotes', 'orders', 'invoices', 'customers'],
    onSuccess: async ({ message: made }) => {
      toast.success(t('messages:resend.done'))
      onClose()
      await go(`/apps/messages/preview/${made.guid}`)
    },
  })
  return (
    <Modal opened onClose={onClose} title={t('messages:resend.title')} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          resend.mutate({ guid: message.guid, to })
        }}
      >
        <p className="muted no-margin">{t('messages:resend.text')}</p>
        <TagsInput label={t('messages:to')} description={t('messages:toHint')} value={to} onChange={setTo} splitChars={[',', ' ', ';']} acceptValueOnBlur clearable={false} maxTags={10} data-autofocus />
        {resend.error ? (
          <Alert color="red" variant="light" role="alert">
            {text(resend.error)}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={resend.isPending} disabled={to.length === 0}>
            {t('messages:resend.action')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

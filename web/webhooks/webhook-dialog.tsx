import type { z } from 'zod'
import { type Webhook, webhookInput, type WebhookInput, webhooksApi } from '../../contract/webhooks.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { formValues, type FormValues } from '../record/form-values.ts'
import { RecordField } from '../record/record-fields.tsx'
import { useSaving } from '../record/saving.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { webhookFields } from './webhook-fields.ts'

type Sent = z.output<typeof webhookInput>
type Values = FormValues<WebhookInput>

interface AddProps {
  /** Shows its secret, which the answer has this once. */
  onMade: (made: { webhook: Webhook; secret: string }) => void
  onClose: () => void
}

export function AddWebhook({ onMade, onClose }: AddProps) {
  const t = useT('webhooks', 'record')
  const form = useSchemaForm<Values, Sent>(webhookInput, formValues(webhookInput))
  const create = useWrite(webhooksApi.create)
  return (
    <FormDialog
      form={form}
      title={t('webhooks:add')}
      action={t('webhooks:create')}
      onSave={async (input) => onMade(await create.mutateAsync(input))}
      onClose={onClose}
    >
      <RecordField of={webhookFields} control={form.control} name="name" isRequired autoFocus />
      <RecordField of={webhookFields} control={form.control} name="url" isRequired />
    </FormDialog>
  )
}

export function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useT('webhooks', 'record')
  const update = useWrite(webhooksApi.update)
  const { base, round, save, dialog } = useSaving<WebhookInput, Webhook>({
    first: webhook,
    noun: 'webhook',
    fields: webhookFields,
    send: async (version, changes) => (await update.mutateAsync({ guid: webhook.guid, version, ...changes })).webhook,
  })
  return (
    <>
      <EditForm
        key={round}
        webhook={base}
        save={async (changes) => {
          const saved = await save(changes)
          toast.success(t('webhooks:saved', { name: saved.name }))
        }}
        onClose={onClose}
      />
      {dialog}
    </>
  )
}

interface EditFormProps {
  webhook: Webhook
  save: (changes: Partial<Sent>) => Promise<void>
  onClose: () => void
}

function EditForm({ webhook, save, onClose }: EditFormProps) {
  const t = useT('webhooks', 'record')
  const form = useSchemaForm<Values, Sent>(webhookInput, formValues(webhookInput, webhook))
  return (
    <FormDialog
      form={form}
      title={t('webhooks:edit')}
      action={t('webhooks:save')}
      isStaleAsked
      onSave={(_input, changes) => save(changes)}
      onClose={onClose}
    >
      <RecordField of={webhookFields} control={form.control} name="name" isRequired autoFocus />
      <RecordField of={webhookFields} control={form.control} name="url" isRequired />
    </FormDialog>
  )
}

import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { emailTemplatesApi } from '../../contract/email-templates.ts'
import { type TemplateKind, templateKinds } from '../../contract/messages.ts'
import { pathTo } from '../../contract/nouns.ts'
import { asApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'

/** Makes a template for an occasion, with the words the product begins with. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const t = useT('mails', 'record')
  const go = useGo()
  const [kind, setKind] = useState<TemplateKind>('general')
  const [name, setName] = useState('')
  const create = useWrite(emailTemplatesApi.create, {
    onSuccess: async ({ template }) => {
      toast.success(t('mails:created', { name: template.name }))
      await go(pathTo('EmailTemplates', template.guid))
    },
  })
  const problem = create.error
    ? asApiError(create.error).errors.find(({ path }) => path === 'name')?.message
    : undefined
  return (
    <AskDialog
      title={t('mails:add')}
      action={t('mails:create')}
      error={create.error}
      isBusy={create.isPending}
      isBlocked={name.trim() === ''}
      onClose={onClose}
      onAsk={() => create.mutate({ kind, name })}
    >
      <ChoiceInput
        label={t('mails:kind')}
        data={templateKinds.map((value) => ({ value, label: t(`mails:kinds.${value}`) }))}
        value={kind}
        onChange={(value) => setKind(templateKinds.find((one) => one === value) ?? 'general')}
      />
      <TextInput
        label={t('mails:name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={120}
        data-autofocus
        error={problem}
      />
    </AskDialog>
  )
}

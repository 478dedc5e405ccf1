import type { z } from 'zod'
import { quoteTemplateInput, quoteTemplatesApi, type QuoteTemplate } from '../../contract/quote-templates.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { NumberField } from '../core/ui/fields.tsx'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { formValues, type FormValues } from '../record/form-values.ts'
import { PlainField } from '../record/plain-field.tsx'
import type { Fields } from '../record/record-facts.tsx'
import { useSaving } from '../record/saving.tsx'
import { useSchemaForm } from '../record/schema-form.ts'

const changes = quoteTemplateInput.pick({
  name: true,
  title: true,
  validityDays: true,
  intro: true,
  terms: true,
  internalNotes: true,
})
type Changes = z.output<typeof changes>

const fields: Fields<Changes> = {
  schema: changes,
  rows: {
    name: { label: 'templates:name' },
    title: { label: 'templates:title', hint: 'templates:titleHint' },
    validityDays: { label: 'templates:validityDays', hint: 'templates:validityHint' },
    intro: { label: 'templates:intro' },
    terms: { label: 'templates:terms', hint: 'templates:termsHint' },
    internalNotes: { label: 'templates:internalNotes' },
  },
}

interface FormProps {
  template: QuoteTemplate
  onClose: () => void
}

/** What is said of a template beside its lines. */
export function TemplateForm({ template, onClose }: FormProps) {
  const update = useWrite(quoteTemplatesApi.update)
  const { base, round, save, dialog } = useSaving<Changes, QuoteTemplate>({
    first: template,
    noun: 'quoteTemplate',
    fields,
    send: async (version, sent) => (await update.mutateAsync({ guid: template.guid, version, ...sent })).quoteTemplate,
  })
  return (
    <>
      <Form key={round} template={base} save={save} onClose={onClose} />
      {dialog}
    </>
  )
}

function Form({ template, save, onClose }: FormProps & { save: (sent: Partial<Changes>) => Promise<QuoteTemplate> }) {
  const t = useT('templates', 'record', 'common')
  const form = useSchemaForm<FormValues<Changes>, Changes>(changes, formValues(changes, template))
  const { control } = form
  return (
    <FormDialog
      form={form}
      title={t('templates:edit')}
      action={t('templates:save')}
      isStaleAsked
      onSave={async (_input, sent) => {
        const saved = await save(sent)
        toast.success(t('templates:saved', { name: saved.name }))
      }}
      onClose={onClose}
    >
      <PlainField of={fields} control={control} name="name" autoFocus />
      <PlainField of={fields} control={control} name="title" />
      <NumberField
        control={control}
        name="validityDays"
        label={t('templates:validityDays')}
        description={t('templates:validityHint')}
        maxDigits={3}
      />
      <PlainField of={fields} control={control} name="intro" />
      <PlainField of={fields} control={control} name="terms" />
      <PlainField of={fields} control={control} name="internalNotes" />
    </FormDialog>
  )
}

import { Button } from '@mantine/core'
import { customerInput, customersApi, type Customer, type CustomerInput } from '../../contract/customers.ts'
import { applyServerErrors } from '../core/api/forms.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Dialog, DialogActions } from '../core/ui/dialog.tsx'
import { TextField } from '../core/ui/fields.tsx'
import { FormError } from '../core/ui/form-card.tsx'
import { useSchemaForm } from '../record/schema-form.ts'

type Values = Record<'displayName' | 'email' | 'phone', string>
const schema = customerInput.pick({ displayName: true, email: true, phone: true })

/** Makes a customer without leaving the document: a name and how to reach them; the rest can follow. */
export function QuickCustomer({
  name,
  onClose,
  onCreated,
}: {
  name: string
  onClose: () => void
  onCreated: (customer: Customer) => void
}) {
  const t = useT('lines', 'common')
  const form = useSchemaForm<Values, Pick<CustomerInput, keyof Values>>(schema, {
    displayName: name,
    email: '',
    phone: '',
  })
  const create = useWrite(customersApi.create, {
    onSuccess: ({ customer }) => {
      onCreated(customer)
      onClose()
    },
  })
  const submit = form.handleSubmit((values) =>
    create.mutateAsync(values).then(undefined, (error: unknown) => void applyServerErrors(error, form.setError)),
  )
  return (
    <Dialog onClose={onClose} title={t('lines:newCustomer')}>
      <form
        noValidate
        className="stack"
        onSubmit={(event) => {
          // This form stands inside the document's own: its submit must not reach it.
          event.stopPropagation()
          void submit(event)
        }}
      >
        <FormError control={form.control} />
        <TextField
          control={form.control}
          name="displayName"
          label={t('lines:customerName')}
          isRequired
          maxLength={160}
          autoFocus
        />
        <TextField
          control={form.control}
          name="email"
          type="email"
          label={t('lines:customerEmail')}
          description={t('lines:customerEmailHint')}
        />
        <TextField control={form.control} name="phone" type="tel" label={t('lines:customerPhone')} />
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('common:create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

import { Button } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { contactsApi, contactWrite } from '../../contract/contacts.ts'
import type { Message } from '../../contract/messages.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { TextField } from '../core/ui/fields.tsx'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { addressIn, nameIn } from './senders.ts'

const person = z.strictObject({ name: contactWrite.shape.name, email: contactWrite.shape.email })
type Person = z.output<typeof person>

/** Makes the sender of an email a contact of the customer it is filed under. */
export function AddSender({ message: { customerGuid, from } }: { message: Message }) {
  const t = useT('inbound')
  const mayAdd = useCan(contactsApi.create)
  const [isOpen, setOpen] = useState(false)
  const email = addressIn(from)
  if (!mayAdd || customerGuid === null || email === undefined) return null
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        {t('inbound:banner.addContact')}
      </Button>
      {isOpen ? (
        <AddDialog first={{ name: nameIn(from), email }} customerGuid={customerGuid} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}

interface AddDialogProps {
  first: { name: string; email: string }
  customerGuid: string
  onClose: () => void
}

function AddDialog({ first, customerGuid, onClose }: AddDialogProps) {
  const t = useT('inbound', 'customers')
  const create = useWrite(contactsApi.create)
  const form = useSchemaForm<{ name: string; email: string }, Person>(person, first)
  // Papers go to whom the office chose for them: having written makes nobody a receiver of invoices.
  const nothing = { receivesQuotes: false, receivesInvoices: false, receivesReminders: false }
  return (
    <FormDialog
      form={form}
      title={t('inbound:banner.addContact')}
      action={t('customers:contacts.create')}
      size="md"
      onClose={onClose}
      onSave={async (input) => {
        const links = [{ customerGuid, role: 'other' as const, isPrimary: false, ...nothing }]
        const { contact } = await create.mutateAsync({ ...input, links })
        toast.success(t('customers:contacts.made', { name: contact.name }))
      }}
    >
      <TextField control={form.control} name="name" label={t('customers:name')} isRequired maxLength={120} />
      <TextField control={form.control} name="email" label={t('customers:email')} maxLength={254} />
    </FormDialog>
  )
}

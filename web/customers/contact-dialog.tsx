import { Button } from '@mantine/core'
import { useState } from 'react'
import { useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { contactsApi, contactWrite } from '../../contract/contacts.ts'
import { customersApi, type Customer } from '../../contract/customers.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import type { Answer } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Dialog } from '../core/ui/dialog.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { LookupInput } from '../core/ui/lookup.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { RecordField } from '../record/record-fields.tsx'
import { useSaving } from '../record/saving.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { linkFields, personFields } from './customer-fields.ts'

type Sent = z.output<typeof contactWrite>
type Person = Answer<typeof contactsApi.get>['contact']
interface Link {
  customerGuid?: string
  siteGuid?: string
  role: Sent['links'][number]['role']
  isPrimary: boolean
  receivesQuotes: boolean
  receivesInvoices: boolean
  receivesReminders: boolean
}
/** What links are called: the customer, and the site behind it. */
type Labels = Readonly<Record<string, string>>
const targetOf = ({ customerGuid, siteGuid }: Pick<Link, 'customerGuid' | 'siteGuid'>) => customerGuid ?? siteGuid ?? ''
interface Values {
  name: string
  position: string
  email: string
  phone: string
  links: Link[]
}
type Form = UseFormReturn<Values, unknown, Sent>

const newLink = (of: { customerGuid: string } | { siteGuid: string }, isPrimary = false): Link => ({
  ...of,
  role: 'other',
  isPrimary,
  receivesQuotes: true,
  receivesInvoices: true,
  receivesReminders: true,
})

const valuesOf = ({ name, position, email, phone, links }: Person): Values => ({
  name,
  position: position ?? '',
  email: email ?? '',
  phone: phone ?? '',
  links: links.map(({ customerGuid, siteGuid, label: _label, ...link }) => ({
    ...link,
    ...(customerGuid ? { customerGuid } : {}),
    ...(siteGuid ? { siteGuid } : {}),
  })),
})

interface ContactDialogProps {
  /** Null for somebody new. */
  guid: string | null
  /** Whose page it is. */
  customer: Pick<Customer, 'guid' | 'displayName' | 'contacts'>
  onClose: () => void
}

/** A person, and the customers and sites they belong to. */
export function ContactDialog({ guid, ...props }: ContactDialogProps) {
  return guid === null ? <Add {...props} /> : <Existing guid={guid} onClose={props.onClose} />
}

function Add({ customer, onClose }: Omit<ContactDialogProps, 'guid'>) {
  const t = useT('customers')
  const create = useWrite(contactsApi.create)
  const form = useSchemaForm<Values, Sent>(contactWrite, {
    name: '',
    position: '',
    email: '',
    phone: '',
    links: [newLink({ customerGuid: customer.guid }, customer.contacts.length === 0)],
  })
  return (
    <FormDialog
      form={form}
      title={t('customers:contacts.addTitle')}
      action={t('customers:contacts.create')}
      onSave={async (input) => {
        const { contact } = await create.mutateAsync(input)
        toast.success(t('customers:contacts.made', { name: contact.name }))
      }}
      onClose={onClose}
    >
      <ContactFields form={form} known={{ [customer.guid]: customer.displayName }} />
    </FormDialog>
  )
}

function Existing({ guid, onClose }: { guid: string; onClose: () => void }) {
  const t = useT('customers')
  const read = useRead(contactsApi.get, { guid })
  // What is being typed must not change under the fingers: the person is read once, and then as they are now.
  const [first, setFirst] = useState<Person | null>(null)
  if (!first && read.data && !read.isFetching) setFirst(read.data.contact)
  if (!first)
    return (
      <Dialog title={t('customers:contacts.editTitle')} size="lg" onClose={onClose}>
        <Loaded of={read}>{() => null}</Loaded>
      </Dialog>
    )
  return <Edit first={first} onClose={onClose} />
}

function Edit({ first, onClose }: { first: Person; onClose: () => void }) {
  const t = useT('customers')
  const update = useWrite(contactsApi.update)
  const { base, round, save, dialog } = useSaving<Sent, Person>({
    first,
    noun: 'contact',
    fields: personFields,
    send: async (version, changes) => (await update.mutateAsync({ guid: first.guid, version, ...changes })).contact,
  })
  return (
    <>
      <EditForm
        key={round}
        person={base}
        save={async (changes) => {
          const saved = await save(changes)
          toast.success(t('customers:contacts.saved', { name: saved.name }))
        }}
        onClose={onClose}
      />
      {dialog}
    </>
  )
}

function EditForm({
  person,
  save,
  onClose,
}: {
  person: Person
  save: (changes: Partial<Sent>) => Promise<void>
  onClose: () => void
}) {
  const t = useT('customers')
  const form = useSchemaForm<Values, Sent>(contactWrite, valuesOf(person))
  return (
    <FormDialog
      form={form}
      title={t('customers:contacts.editTitle')}
      action={t('customers:contacts.save')}
      onSave={(_input, changes) => save(changes)}
      onClose={onClose}
      isStaleAsked
    >
      <ContactFields
        form={form}
        known={Object.fromEntries(person.links.map((link) => [link.customerGuid ?? link.siteGuid ?? '', link.label]))}
      />
    </FormDialog>
  )
}

function ContactFields({ form, known }: { form: Form; known: Labels }) {
  const t = useT('customers')
  const [labels, setLabels] = useState(known)
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'links' })
  const links = useWatch({ control, name: 'links' })
  const has = (guid: string) => links.some((link) => targetOf(link) === guid)
  return (
    <>
      <div className="grid-2 form-grid">
        {(['name', 'position', 'email', 'phone'] as const).map((name) => (
          <RecordField key={name} of={personFields} control={control} name={name} autoFocus={name === 'name'} />
        ))}
      </div>
      <h3 className="no-margin">{t('customers:contacts.belongsTo')}</h3>
      {fields.map((field, index) => {
        const link = links[index]
        const label = link ? (labels[targetOf(link)] ?? '') : ''
        return (
          <div key={field.id} className="field-group" role="group" aria-label={label}>
            <div className="row spread">
              <span className="strong">{label}</span>
              {fields.length > 1 ? (
                <IconTool icon="delete" label={t('customers:remove', { name: label })} onClick={() => remove(index)} />
              ) : null}
            </div>
            <RecordField of={linkFields} control={control} at={`links.${index}`} name="role" />
            <div className="row contact-switches">
              {link?.customerGuid ? (
                <RecordField of={linkFields} control={control} at={`links.${index}`} name="isPrimary" />
              ) : null}
              {(['receivesQuotes', 'receivesInvoices', 'receivesReminders'] as const).map((name) => (
                <RecordField key={name} of={linkFields} control={control} at={`links.${index}`} name={name} />
              ))}
            </div>
          </div>
        )
      })}
      <MorePlaces
        has={has}
        onAdd={(link, label) => {
          setLabels({ ...labels, [targetOf(link)]: label })
          append(link)
        }}
      />
    </>
  )
}

/** Another customer the person belongs to, or one of the customer's sites. */
function MorePlaces({ has, onAdd }: { has: (guid: string) => boolean; onAdd: (link: Link, label: string) => void }) {
  const t = useT('customers')
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const read = useRead(customersApi.get, { guid: chosen ?? '' }, { enabled: chosen !== null })
  const customer = chosen ? read.data?.customer : undefined
  const add = (link: Link, label: string) => {
    onAdd(link, label)
    setChosen(null)
    setOpen(false)
  }
  if (!isOpen)
    return (
      <div>
        <Button variant="light" leftSection={<Icon name="create" size={18} />} onClick={() => setOpen(true)}>
          {t('customers:contacts.addPlace')}
        </Button>
      </div>
    )
  const places = customer
    ? [
        { link: newLink({ customerGuid: customer.guid }), name: customer.displayName, label: customer.displayName },
        ...customer.sites.map(({ guid, name }) => ({
          link: newLink({ siteGuid: guid }),
          name,
          label: `${customer.displayName}, ${name}`,
        })),
      ]
    : []
  return (
    <div className="field-group" role="group" aria-label={t('customers:contacts.addPlace')}>
      <LookupInput
        op={customersApi.list}
        label={t('customers:contacts.customer')}
        option={(item) => ({ value: item.guid, label: item.displayName, hint: item.suburb ?? '' })}
        value={chosen}
        onChange={setChosen}
        autoFocus
      />
      {places.length ? (
        <div className="row">
          {places.map(({ name, link, label }) => (
            <Button
              key={targetOf(link)}
              variant="default"
              disabled={has(targetOf(link))}
              onClick={() => add(link, label)}
            >
              {name}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  )
}

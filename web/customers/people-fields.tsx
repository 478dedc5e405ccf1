import { Button, Radio } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import { useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { emptyAddress } from '../record/address-fields.tsx'
import { RecordField } from '../record/record-fields.tsx'
import { contactFields, siteFields } from './customer-fields.ts'
import type { CustomerValues, SentCustomer } from './customer-form.tsx'

type Form = UseFormReturn<CustomerValues, unknown, SentCustomer>

interface GroupsProps {
  items: readonly { id: string }[]
  addLabel: string
  emptyText: string
  nameOf: (index: number) => string
  onAdd: () => void
  onRemove: (index: number) => void
  removeLabel: (name: string) => string
  children: (index: number) => ReactNode
}

/** A list of groups of fields that can be added to and taken from. */
function Groups({ items, addLabel, emptyText, nameOf, onAdd, onRemove, removeLabel, children }: GroupsProps) {
  const box = useRef<HTMLDivElement>(null)
  return (
    <div className="stack" ref={box}>
      {items.length ? null : <p className="muted no-margin">{emptyText}</p>}
      {items.map((item, index) => (
        <div key={item.id} className="field-group" role="group" aria-label={nameOf(index)}>
          <div className="row spread">
            <span className="strong">{nameOf(index)}</span>
            <IconTool
              icon="delete"
              label={removeLabel(nameOf(index))}
              onClick={() => {
                onRemove(index)
                // The button that was pressed is gone: the one that adds takes the focus.
                box.current?.querySelector<HTMLElement>('.add-group')?.focus()
              }}
            />
          </div>
          {children(index)}
        </div>
      ))}
      <div>
        <Button className="add-group" variant="light" leftSection={<Icon name="create" size={18} />} onClick={onAdd}>
          {addLabel}
        </Button>
      </div>
    </div>
  )
}

export function ContactsField({ form }: { form: Form }) {
  const t = useT('customers')
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'contacts' })
  const contacts = useWatch({ control, name: 'contacts' })
  // As on the server: the first one, when none is marked.
  const primary = Math.max(
    0,
    contacts.findIndex((contact) => contact.isPrimary),
  )
  const choose = (chosen: number) =>
    contacts.forEach((_contact, index) =>
      form.setValue(`contacts.${index}.isPrimary`, index === chosen, { shouldDirty: true }),
    )
  return (
    <Groups
      items={fields}
      addLabel={t('customers:contacts.add')}
      emptyText={t('customers:contacts.empty')}
      nameOf={(index) => contacts[index]?.name.trim() || t('customers:contacts.one', { position: index + 1 })}
      removeLabel={(name) => t('customers:remove', { name })}
      onAdd={() =>
        append({
          name: '',
          position: '',
          email: '',
          phone: '',
          role: 'other',
          isPrimary: fields.length === 0,
          receivesQuotes: true,
          receivesInvoices: true,
          receivesReminders: true,
        })
      }
      onRemove={remove}
    >
      {(index) => (
        <>
          <div className="grid-2 form-grid">
            {(['name', 'position', 'email', 'phone', 'role'] as const).map((name) => (
              <RecordField key={name} of={contactFields} control={control} at={`contacts.${index}`} name={name} />
            ))}
          </div>
          <div className="row contact-switches">
            <Radio
              name="primary-contact"
              label={t(contactFields.rows.isPrimary.label)}
              checked={primary === index}
              onChange={() => choose(index)}
            />
            <RecordField of={contactFields} control={control} at={`contacts.${index}`} name="receivesQuotes" />
            <RecordField of={contactFields} control={control} at={`contacts.${index}`} name="receivesInvoices" />
            <RecordField of={contactFields} control={control} at={`contacts.${index}`} name="receivesReminders" />
          </div>
        </>
      )}
    </Groups>
  )
}

export function SitesField({ form }: { form: Form }) {
  const t = useT('customers')
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'sites' })
  const sites = useWatch({ control, name: 'sites' })
  return (
    <Groups
      items={fields}
      addLabel={t('customers:sites.add')}
      emptyText={t('customers:sites.empty')}
      nameOf={(index) => sites[index]?.name.trim() || t('customers:sites.one', { position: index + 1 })}
      removeLabel={(name) => t('customers:remove', { name })}
      onAdd={() => append({ name: '', address: emptyAddress, accessNotes: '' })}
      onRemove={remove}
    >
      {(index) => (
        <>
          {(['name', 'address', 'accessNotes'] as const).map((name) => (
            <RecordField key={name} of={siteFields} control={control} at={`sites.${index}`} name={name} />
          ))}
        </>
      )}
    </Groups>
  )
}

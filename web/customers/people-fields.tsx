import { ActionIcon, Button, Radio } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import { useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form'
import { useT } from '../core/i18n/i18n.ts'
import { SwitchField, TextAreaField, TextField } from '../core/ui/fields.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { AddressFields, emptyAddress } from '../record/address-fields.tsx'
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
            <ActionIcon
              variant="subtle"
              color="gray"
              c="inherit"
              size={36}
              aria-label={removeLabel(nameOf(index))}
              title={removeLabel(nameOf(index))}
              onClick={() => {
                onRemove(index)
                // The button that was pressed is gone: the one that adds takes the focus.
                box.current?.querySelector<HTMLElement>('.add-group')?.focus()
              }}
            >
              <Icon name="delete" size={18} />
            </ActionIcon>
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
          isPrimary: fields.length === 0,
          receivesQuotes: true,
          receivesInvoices: true,
        })
      }
      onRemove={remove}
    >
      {(index) => (
        <>
          <div className="grid-2 form-grid">
            <TextField
              control={control}
              name={`contacts.${index}.name`}
              label={t('customers:name')}
              isRequired
              maxLength={120}
            />
            <TextField
              control={control}
              name={`contacts.${index}.position`}
              label={t('customers:contacts.position')}
              maxLength={80}
            />
            <TextField
              control={control}
              name={`contacts.${index}.email`}
              type="email"
              inputMode="email"
              label={t('customers:email')}
              maxLength={254}
            />
            <TextField
              control={control}
              name={`contacts.${index}.phone`}
              type="tel"
              inputMode="tel"
              label={t('customers:phone')}
              maxLength={40}
            />
          </div>
          <div className="row contact-switches">
            <Radio
              name="primary-contact"
              label={t('customers:contacts.isPrimary')}
              checked={primary === index}
              onChange={() => choose(index)}
            />
            <SwitchField
              control={control}
              name={`contacts.${index}.receivesQuotes`}
              label={t('customers:contacts.receivesQuotes')}
            />
            <SwitchField
              control={control}
              name={`contacts.${index}.receivesInvoices`}
              label={t('customers:contacts.receivesInvoices')}
            />
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
          <TextField
            control={control}
            name={`sites.${index}.name`}
            label={t('customers:sites.name')}
            isRequired
            maxLength={120}
          />
          <AddressFields control={control} name={`sites.${index}.address`} />
          <TextAreaField
            control={control}
            name={`sites.${index}.accessNotes`}
            label={t('customers:sites.accessNotes')}
            rows={2}
            maxLength={1000}
          />
        </>
      )}
    </Groups>
  )
}

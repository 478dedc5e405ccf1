import { Button } from '@mantine/core'
import { useState } from 'react'
import { contactsApi } from '../../contract/contacts.ts'
import type { Customer } from '../../contract/customers.ts'
import { useMay } from '../core/api/can.ts'
import { useRun } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { ContactDialog } from './contact-dialog.tsx'
import { ContactWho } from './contact-who.tsx'
import { roleText } from './customer-fields.ts'

type Contact = Customer['contacts'][number]
const receiving = ['receivesQuotes', 'receivesInvoices', 'receivesReminders'] as const

/** The people of a customer, with what they are to them. */
export function CustomerContacts({ customer }: { customer: Customer }) {
  const t = useT('customers', 'common')
  const may = useMay()
  const run = useRun()
  const errorText = useErrorText()
  /** `new`, or the guid of whoever is changed. */
  const [open, setOpen] = useState<string | null>(null)
  const [leaving, setLeaving] = useState<Contact | null>(null)
  const { contacts } = customer
  return (
    <Card
      title={t('customers:contacts.title')}
      actions={
        may(contactsApi.create) && !customer.archivedAt ? (
          <Button variant="light" leftSection={<Icon name="create" size={18} />} onClick={() => setOpen('new')}>
            {t('customers:contacts.add')}
          </Button>
        ) : null
      }
    >
      {contacts.length === 0 ? <p className="muted no-margin">{t('customers:contacts.none')}</p> : null}
      <ul className="people">
        {contacts.map((contact) => (
          <li key={contact.guid} className="contact">
            <div className="contact-who">
              <ContactWho contact={contact} />
            </div>
            <span className="row contact-marks">
              {contact.role === 'other' ? null : <StatusChip status="neutral" label={roleText(contact.role)} />}
              {receiving
                .filter((what) => contact[what])
                .map((what) => (
                  <span key={what} className="muted small">
                    {t(`customers:contacts.${what}`)}
                  </span>
                ))}
            </span>
            <span className="row no-print">
              {may(contactsApi.update) && may(contactsApi.get) ? (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('customers:contacts.edit', { name: contact.name })}
                  onClick={() => setOpen(contact.guid)}
                >
                  {t('common:edit')}
                </Button>
              ) : null}
              {may(contactsApi.remove) ? (
                <Button
                  variant="subtle"
                  color="gray"
                  size="xs"
                  aria-label={t('customers:remove', { name: contact.name })}
                  onClick={() => setLeaving(contact)}
                >
                  {t('customers:contacts.archive')}
                </Button>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
      {open ? (
        <ContactDialog guid={open === 'new' ? null : open} customer={customer} onClose={() => setOpen(null)} />
      ) : null}
      <ConfirmDialog
        isOpen={leaving !== null}
        title={t('customers:contacts.archiveTitle', { name: leaving?.name ?? '' })}
        confirmLabel={t('customers:contacts.archive')}
        isDangerous
        onClose={() => setLeaving(null)}
        onConfirm={async () => {
          if (!leaving) return
          try {
            await run(contactsApi.remove, { guid: leaving.guid })
            toast.success(t('customers:contacts.archived', { name: leaving.name }))
          } catch (error) {
            toast.error(errorText(error))
          }
        }}
      >
        {t('customers:contacts.archiveText')}
      </ConfirmDialog>
    </Card>
  )
}

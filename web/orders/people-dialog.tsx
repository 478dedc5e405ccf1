import { useState } from 'react'
import { maxPeople } from '../../contract/order-parts.ts'
import { ordersApi, type AnyOrder } from '../../contract/orders.ts'
import { usersApi } from '../../contract/users.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { LookupInput } from '../core/ui/lookup.tsx'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import './order-parts.css'

interface Person {
  guid: string
  name: string
}

/** Who leads an order and who works along. */
export function PeopleDialog({ order, onClose }: { order: AnyOrder; onClose: () => void }) {
  const t = useT('orders')
  const [lead, setLead] = useState<Person | null>(order.assigned)
  const [crew, setCrew] = useState<readonly Person[]>(order.crew)
  const save = useWrite(ordersApi.people, {
    onSuccess: () => {
      toast.success(t('orders:people.saved'))
      onClose()
    },
  })
  const along = crew.filter(({ guid }) => guid !== lead?.guid)
  const taken = new Set([lead?.guid, ...crew.map(({ guid }) => guid)])
  const people = [
    ...(lead ? [{ userGuid: lead.guid, role: 'lead' as const }] : []),
    ...along.map(({ guid }) => ({ userGuid: guid, role: 'crew' as const })),
  ]
  return (
    <AskDialog
      title={t('orders:people.edit')}
      action={t('orders:people.save')}
      error={save.error}
      isBusy={save.isPending}
      onClose={onClose}
      onAsk={() => save.mutate({ guid: order.guid, version: order.version, people })}
    >
      <LookupInput
        label={t('orders:people.lead')}
        op={usersApi.people}
        option={(person) => ({ value: person.guid, label: person.name })}
        chosen={lead ? { value: lead.guid, label: lead.name } : null}
        value={lead?.guid ?? null}
        onPick={(person) => setLead(person)}
        onChange={(guid) => (guid === null ? setLead(null) : undefined)}
        clearable
        autoFocus
      />
      {along.length > 0 ? (
        <ul className="people-list" aria-label={t('orders:people.crew')}>
          {along.map((person) => (
            <li key={person.guid}>
              <bdi>{person.name}</bdi>
              <IconTool
                icon="delete"
                label={t('orders:people.remove', { name: person.name })}
                onClick={() => setCrew((before) => before.filter(({ guid }) => guid !== person.guid))}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {along.length < maxPeople - 1 ? (
        <LookupInput
          key={along.length}
          label={t('orders:people.add')}
          op={usersApi.people}
          option={(person) => ({ value: person.guid, label: person.name })}
          isOffered={(person) => !taken.has(person.guid)}
          value={null}
          onPick={({ guid, name }) => setCrew((before) => [...before, { guid, name }])}
          onChange={() => undefined}
        />
      ) : null}
    </AskDialog>
  )
}

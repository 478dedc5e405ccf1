import { useState } from 'react'
import { ordersApi, type AnyOrder } from '../../contract/orders.ts'
import { usersApi } from '../../contract/users.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import './order-parts.css'

const PeopleDialog = whenOpen(() => import('./people-dialog.tsx').then((module) => module.PeopleDialog))

/** Who works on it: the lead first. */
export function OrderPeople({ order }: { order: AnyOrder }) {
  const t = useT('orders')
  const mayEdit = useCan(ordersApi.people)
  const mayChoose = useCan(usersApi.people)
  const [isOpen, setOpen] = useState(false)
  const everybody = [
    ...(order.assigned ? [{ ...order.assigned, role: 'lead' as const }] : []),
    ...order.crew.map((person) => ({ ...person, role: 'crew' as const })),
  ]
  return (
    <Card
      title={t('orders:tabs.people')}
      actions={
        mayEdit && mayChoose && order.archivedAt === null ? (
          <ActionButton variant="light" icon="edit" onClick={() => setOpen(true)}>
            {t('orders:people.edit')}
          </ActionButton>
        ) : null
      }
    >
      {everybody.length === 0 ? (
        <p className="muted no-margin">{t('orders:people.empty')}</p>
      ) : (
        <ul className="people-list">
          {everybody.map(({ guid, name, role }) => (
            <li key={guid}>
              <bdi>{name}</bdi>
              <span className="chip" data-tone={role === 'lead' ? 'primary' : 'neutral'}>
                {t(`orders:people.${role}`)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {isOpen ? <PeopleDialog order={order} onClose={() => setOpen(false)} /> : null}
    </Card>
  )
}

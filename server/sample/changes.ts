import type { ChangeAction } from '../../contract/change-orders.ts'
import { isText } from '../../contract/core/money.ts'
import type { Order } from '../../contract/orders.ts'
import { ordersApi } from '../../contract/orders.ts'
import { serviceApi } from '../../contract/service.ts'
import { orders } from '../orders/orders.service.ts'
import { service } from '../portal/portal.service.ts'
import { type Crew, play, type Stage } from './actors.ts'

const gate = (name: string, unitPriceCents: number): ChangeAction => ({
  kind: 'add',
  line: { kind: 'item', name, quantity: '1', unit: 'each', unitPriceCents, gstCode: 'GST', isOptional: false },
})

/** Changes of one order that was agreed: signed, edited, declined, one to be sent; and one of another that waits. */
export async function makeChanges(stage: Stage, crew: Crew, businessGuid: string): Promise<void> {
  const agreed = await stage.deps.db
    .selectFrom('orders')
    .select('guid')
    .where('businessGuid', '=', businessGuid)
    .where('status', 'in', ['confirmed', 'in_progress'])
    .where('invoiceStatus', '=', 'to_invoice')
    .where('contractCents', 'is not', null)
    .where('archivedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('guid')
    .limit(2)
    .execute()
  const [first, second = first] = agreed
  if (!first || !second) return
  const at = { ...stage, by: crew.office }
  const read = async (guid: string) => (await play(at, ordersApi.get, orders.get, { guid })).order as Order
  const list = async (guid: string) => (await play(at, ordersApi.changes, orders.changes, { guid })).items
  const sent = async (guid: string, title: string, action: ChangeAction) => {
    const { version } = await read(guid)
    const draft = { guid, version, title, note: 'As we discussed on site.', actions: [action] }
    const changeGuid = (await play(at, ordersApi.addChange, orders.addChange, draft)).items.at(-1)?.guid ?? ''
    const to = ['site@demo.example']
    const { version: now } = await read(guid)
    const { items } = await play(at, ordersApi.sendChange, orders.sendChange, { guid, version: now, changeGuid, to })
    return { changeGuid, sha256: items.at(-1)?.sha256 ?? '' }
  }
  const link = (await read(first.guid)).serviceGuid ?? ''
  const signed = await sent(first.guid, 'Second gate at the side', gate('Side gate', 64_000))
  const signature = { method: 'typed' as const, text: 'Mia Harbour' }
  await play(at, serviceApi.acceptChange, service.acceptChange, {
    ...{ guid: link, name: 'Mia Harbour', signature },
    ...signed,
  })
  const { lines, version } = await read(first.guid)
  const [line] = lines.filter((one) => one.parentLineGuid === null && !isText(one) && one.name === 'Side gate')
  if (line) {
    const entered = lines
      .filter((one) => one.parentLineGuid === null)
      .map(
        ({ guid, kind, productGuid, name, description, quantity, unit, unitPriceCents, discount, gstCode, ...of }) => ({
          ...{ guid, kind: kind as 'item', productGuid, name, description, unit, unitPriceCents, discount, gstCode },
          ...{ hireFrom: of.hireFrom, hireTo: of.hireTo, isOptional: false },
          quantity: guid === line.guid ? '2' : quantity,
        }),
      )
    await play(at, ordersApi.update, orders.update, { guid: first.guid, version, lines: entered })
  }
  const refused = await sent(first.guid, 'Paint instead of galvanised', gate('Powder coating', 118_000))
  await play(at, serviceApi.declineChange, service.declineChange, {
    ...{ guid: link, note: 'Galvanised is fine.' },
    ...refused,
  })
  // One is written and not sent yet.
  const { version: written } = await read(first.guid)
  const draft = { title: 'Lights along the walkway', note: null, actions: [gate('Walkway lights', 42_000)] }
  await play(at, ordersApi.addChange, orders.addChange, { guid: first.guid, version: written, ...draft })
  await sent(second.guid, 'Extra day on site', gate('Extra day, two people', 96_000))
  if ((await list(first.guid)).length < 3) throw new Error('the sample has no changes')
}

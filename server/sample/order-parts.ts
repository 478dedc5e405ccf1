import { ordersApi } from '../../contract/orders.ts'
import { substatusesApi, type SubstatusInput } from '../../contract/substatuses.ts'
import { orders } from '../orders/orders.service.ts'
import { substatuses } from '../orders/substatuses.service.ts'
import { type Crew, play, type Stage } from './actors.ts'

const words: readonly SubstatusInput[] = [
  { core: 'confirmed', label: 'Booked', colour: 'blue' },
  { core: 'confirmed', label: 'Waiting for parts', colour: 'orange' },
  { core: 'in_progress', label: 'First fix done', colour: 'teal' },
  { core: 'in_progress', label: 'Snagging', colour: 'purple' },
  { core: 'on_hold', label: 'No site access', colour: 'red' },
  { core: 'completed', label: 'Photos to send', colour: 'yellow' },
]
const spent = [
  { text: 'Skip hire', cents: 38_500 },
  { text: 'Traffic control, half a day', cents: 62_000 },
  { text: 'Skip hire: one day less than booked', cents: -5500 },
] as const

const notes = [
  'Gate code 4471. Park in the lane behind, the front is a loading zone until 9 am.',
  'Two panels are bent at the foot: used the spares, bring two more.',
]

/** Orders that are being worked on: where each stands, who works along, half of a checklist ticked, what was spent. */
export async function makeOrderParts(stage: Stage, crew: Crew, businessGuid: string): Promise<void> {
  const made = []
  for (const word of words) made.push((await play(stage, substatusesApi.create, substatuses.create, word)).substatus)
  const open = await stage.deps.db
    .selectFrom('orders')
    .select(['guid', 'status', 'assignedGuid'])
    .where('businessGuid', '=', businessGuid)
    .where('status', 'in', ['confirmed', 'in_progress', 'on_hold', 'completed'])
    .where('archivedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('guid')
    .limit(10)
    .execute()
  const along = crew.sales.kind === 'user' ? crew.sales.userGuid : ''
  for (const [index, { guid, status, assignedGuid }] of open.entries()) {
    const read = async () => (await play(stage, ordersApi.get, orders.get, { guid })).order
    const fitting = made.filter(({ core }) => core === status)
    const chosen = index % 3 === 2 ? undefined : fitting[index % Math.max(fitting.length, 1)]
    if (chosen)
      await play(stage, ordersApi.substatus, orders.substatus, {
        guid,
        version: (await read()).version,
        substatusGuid: chosen.guid,
      })
    if (assignedGuid && index % 2 === 0)
      await play(stage, ordersApi.people, orders.people, {
        guid,
        version: (await read()).version,
        people: [
          { userGuid: assignedGuid, role: 'lead' },
          { userGuid: along, role: 'crew' },
        ],
      })
    const { version, checks } = await read()
    for (const { code } of checks.slice(0, Math.ceil(checks.length / 2)))
      await play({ ...stage, by: crew.field }, ordersApi.check, orders.check, { guid, version, code, isDone: true })
    if (notes[index])
      await play({ ...stage, by: assignedGuid ? crew.field : stage.by }, ordersApi.addNote, orders.addNote, {
        guid,
        text: notes[index],
      })
    for (const cost of index % 4 === 0 ? spent : spent.slice(0, index % 2))
      await play(stage, ordersApi.addCost, orders.addCost, { guid, on: stage.at.toISOString().slice(0, 10), ...cost })
  }
}

import type { Op } from '../../contract/core/op.ts'
import { talkBodies } from './plausible.ts'

const nobody = '01890000-0000-7000-8000-000000000000'

const anAction = {
  name: 'x',
  eventKey: 'order.completed',
  effects: [{ type: 'notify', to: 'recordOwner', text: 'x' }],
}

/** A body that gets past the schema, so that the record itself is asked for. */
export function plausibleBody(op: Op): object {
  const bodies: Record<string, object> = {
    '/Orders/Status/:guid': { version: 1, deed: 'start' },
    '/Orders/Invoice/:guid': { version: 1, kind: 'final' },
    '/Orders/People/:guid': { version: 1, people: [] },
    '/Orders/Check/:guid': { version: 1, code: 'x', isDone: true },
    ...talkBodies,
    'POST /Events/Actions': anAction,
    '/Events/Actions/Preview': { action: anAction },
    '/Events/Actions/Status/:guid': { version: 1, deed: 'pause' },
    'POST /Holidays': { state: 'NSW', day: '2026-08-12', name: 'x' },
    'POST /Reminders/Holds': { customerGuid: nobody, reason: 'other' },
    '/Orders/Notes/:guid': { text: 'x' },
    '/Orders/Costs/:guid': { on: '2026-01-01', text: 'x', cents: 1 },
    '/Quotes/Accept/:guid': { version: 1, name: 'X', method: 'phone' },
    '/Quotes/Decline/:guid': { version: 1, reasonCode: 'price' },
    '/Quotes/Cancel/:guid': { version: 1, reason: 'x' },
    '/Quotes/Entries/:guid': { version: 1, entry: { type: 'section', name: 'x' } },
    '/Quotes/Series/Status/:guid': { version: 1, deed: 'start' },
    '/Invoices/Void/:guid': { version: 1, reason: 'x' },
    '/Invoices/WriteOff/:guid': { version: 1, reasonCode: 'other' },
    '/Invoices/Deposit/:guid': { version: 1, action: 'forfeit', cents: 1, reason: 'x' },
    '/Invoices/Instalments/:guid': { version: 1, instalments: [{ label: 'x', dueOn: '2026-01-01', cents: 1 }] },
  }
  const plain = [
    { version: 1 },
    {},
    { version: 1, reason: 'x' },
    { version: 1, text: 'x' },
    { add: ['x'] },
    { name: 'x' },
    { reason: 'x' },
    { version: 1, versionGuid: nobody },
    { versionGuid: nobody },
    { language: 'en' },
    { language: 'en', recordGuid: nobody },
    { language: 'en', versionGuid: nobody },
    { version: 1, action: 'ignore' },
  ]
  const tried = [bodies[`${op.method} ${op.path}`], bodies[op.path], ...plain]
  return tried.find((b): b is object => b !== undefined && op.body.safeParse(b).success) ?? {}
}

import { z } from 'zod'
import { archivingOps } from './core/archiving.ts'
import { answerOf } from './core/answer.ts'
import { archivedFilter, guid, listQuery, pageOf, recordShape, text } from './core/common.ts'
import { exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { nouns } from './nouns.ts'

const subject = 'Orders:Substatuses'

/** The colours a sub-status may have: each is readable in both themes. */
export const substatusColours = ['grey', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'] as const
export type SubstatusColour = (typeof substatusColours)[number]

const substatusFields = {
  /** The status of orders that it belongs to: for good, because orders stand in it. */
  core: z.enum(nouns.Orders.statuses),
  /** A word of the business's own, in its own language. */
  label: text(40),
  colour: z.enum(substatusColours).default('grey'),
}
export const substatusInput = z.strictObject(substatusFields)
export type SubstatusInput = z.infer<typeof substatusInput>
export const substatusChanges = substatusInput.omit({ core: true })

const substatus = z.object({
  ...recordShape,
  ...answerOf(substatusFields),
  /** Orders that stand in it. */
  orderCount: z.int(),
})
export type Substatus = z.infer<typeof substatus>
/** As orders show it. */
export const substatusShape = z.object({ guid, label: z.string(), colour: z.enum(substatusColours) })
export type ShownSubstatus = z.infer<typeof substatusShape>
const one = z.object({ substatus })

const list = get({
  path: '/Orders/Substatuses',
  effect: 'read',
  can: ['read', `${subject}:Preview:All`],
  summary: 'Words of the business for orders within one status',
  query: listQuery(['label'], { core: z.enum(nouns.Orders.statuses).optional(), archived: archivedFilter }),
  response: pageOf(substatus),
})
export const substatusesApi = {
  list,
  export: exportOf(list, { label: 'Sub-status', core: 'Status', colour: 'Colour', orderCount: 'Orders' }),
  get: get({
    path: '/Orders/Substatuses/:guid',
    effect: 'read',
    can: ['read', `${subject}:Preview:Guid`],
    summary: 'One sub-status',
    response: one,
  }),
  create: post({
    path: '/Orders/Substatuses',
    effect: 'write',
    can: ['create', `${subject}:Create`],
    status: 201,
    message: 'Sub-status created.',
    summary: 'Makes a sub-status of orders',
    body: substatusInput,
    response: one,
  }),
  update: patch({
    path: '/Orders/Substatuses/:guid',
    effect: 'write',
    can: ['update', `${subject}:Update:Guid`],
    message: 'Sub-status saved.',
    summary: 'Changes what a sub-status is called and its colour; the status it belongs to stays',
    body: patchOf(substatusChanges),
    response: one,
  }),
  ...archivingOps('Orders/Substatuses', 'a sub-status', one, subject),
}

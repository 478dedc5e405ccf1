import { z } from 'zod'
import { cents, day, guid } from './core/common.ts'

/** Why a payment turned out not to be one. */
export const reversalReasons = ['dishonoured', 'wrong_entry', 'disputed'] as const

export const reversal = z.object({
  reason: z.enum(reversalReasons),
  note: z.string().nullable(),
  /** What it had paid until then, and the day it is owed again from. */
  takenOff: z.array(z.object({ guid, invoiceGuid: guid, invoiceNumber: z.string().nullable(), cents, on: day })),
})

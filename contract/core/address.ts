import { z } from 'zod'
import { maybe, text } from './common.ts'

export const states = ['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA'] as const
export type State = (typeof states)[number]
export const address = z.strictObject({
  line1: text(120),
  line2: maybe(text(120)),
  suburb: text(80),
  state: z.enum(states),
  postcode: z.string().regex(/^\d{4}$/, 'Enter four digits.'),
})
export type Address = z.infer<typeof address>

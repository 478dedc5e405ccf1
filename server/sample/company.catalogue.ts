import type { StreamInput } from '../../contract/revenue-streams.ts'

type Stream = Pick<StreamInput, 'code' | 'name' | 'accountCode'> & { targetCents: number; part?: string }

/** Where its revenue is counted; a later one may be a part of an earlier one. */
export const streams: readonly Stream[] = [
  { code: 'HIRE', name: 'Hire', accountCode: '200', targetCents: 4_500_000 },
  { code: 'INST', name: 'Installation and labour', accountCode: '210', targetCents: 3_000_000 },
  { code: 'EVENT', name: 'Events', accountCode: '220', targetCents: 1_200_000, part: 'HIRE' },
  { code: 'SALE', name: 'Sales and services', accountCode: '230', targetCents: 800_000 },
]

/** Each with what is inside it. */
export interface SampleCategory {
  name: string
  inside?: readonly SampleCategory[]
}
export const categories: readonly SampleCategory[] = [
  {
    name: 'Site protection',
    inside: [{ name: 'Hoarding', inside: [{ name: 'Gates and doors' }] }, { name: 'Fencing and barriers' }],
  },
  { name: 'Events', inside: [{ name: 'Marquees' }, { name: 'Furniture and lighting' }] },
  { name: 'Labour and delivery', inside: [{ name: 'Permits and plans' }] },
]

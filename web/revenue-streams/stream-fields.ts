import { streamInput, type StreamInput } from '../../contract/revenue-streams.ts'
import type { Fields } from '../record/record-facts.tsx'

/** What is known of a revenue stream, in the order of the form. */
export const streamFields: Fields<StreamInput> = {
  schema: streamInput,
  rows: {
    code: { label: 'products:streams.code' },
    name: { label: 'products:name' },
    accountCode: { label: 'products:streams.account', hint: 'products:streams.accountHint' },
    parentGuid: { label: 'products:streams.parent' },
    targets: {
      label: 'products:streams.targets',
      show: (targets, { f }) => targets?.map(({ month, cents }) => `${month}: ${f.money(cents)}`).join(', ') ?? null,
    },
  },
}

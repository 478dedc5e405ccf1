import { describe, expect, it } from 'vitest'
import { documentProblems, type CheckedDocument } from './invoice-rules.ts'

const fence = { kind: 'item', name: 'Fence', gstCode: 'GST', gstCents: 10_000 } as const
const good: CheckedDocument = {
  supplier: { abn: '53004085616', gstRegistered: true },
  buyer: { name: 'Hartmann', abn: null },
  lines: [fence],
  totals: { gstCents: 10_000, totalCents: 110_000 },
}
const codes = (change: Partial<CheckedDocument>) =>
  documentProblems({ ...good, ...change }).map((p) => `${p.code}${p.blocks ? '' : ' (a hint)'}`)

describe('a proper Australian invoice', () => {
  it('has nothing to say about one that is complete', () => expect(codes({})).toEqual([]))
  it('needs a valid ABN where GST is charged', () => {
    expect(codes({ supplier: { abn: null, gstRegistered: true } })).toEqual(['SUPPLIER_ABN_MISSING'])
    expect(codes({ supplier: { abn: '53004085617', gstRegistered: true } })).toEqual(['SUPPLIER_ABN_INVALID'])
  })
  it('warns of withholding where there is neither GST nor ABN', () =>
    expect(
      codes({
        supplier: { abn: null, gstRegistered: false },
        lines: [{ ...fence, gstCode: 'FREE', gstCents: 0 }],
        totals: { gstCents: 0, totalCents: 100_000 },
      }),
    ).toEqual(['SUPPLIER_ABN_MISSING (a hint)']))
  it('warns a registered business of lines without registration', () => {
    const unsure = { ...fence, gstCode: 'NOT_REGISTERED', gstCents: 0 } as const
    expect(codes({ lines: [fence, unsure] })).toEqual(['NOT_REGISTERED_LINE (a hint)'])
    expect(codes({ supplier: { abn: '53004085616', gstRegistered: false }, lines: [unsure] })).toEqual([])
  })
  it('charges no GST without registration', () =>
    expect(codes({ supplier: { abn: '53004085616', gstRegistered: false } })).toEqual(['GST_NOT_REGISTERED']))
  it('names the buyer from $1,000 on', () => {
    expect(codes({ buyer: { name: '', abn: null } })).toEqual(['BUYER_MISSING'])
    expect(codes({ buyer: { name: '', abn: '53004085616' } })).toEqual([])
    expect(codes({ buyer: { name: '', abn: null }, totals: { gstCents: 9090, totalCents: 99_999 } })).toEqual([])
    expect(codes({ buyer: null })).toEqual(['BUYER_MISSING'])
  })
  it('asks for something, unless a deposit covered all of it', () => {
    const none = { gstCents: 0, totalCents: 0 }
    expect(codes({ totals: none })).toEqual(['NOTHING_TO_PAY'])
    expect(codes({ totals: none, depositAppliedCents: 110_000 })).toEqual([])
    expect(codes({ lines: [{ ...fence, kind: 'text', gstCents: 0 }] })).toContain('NO_LINES')
    expect(codes({ lines: [{ ...fence, name: ' ' }] })).toEqual(['LINE_WITHOUT_NAME'])
  })
})

import { describe, expect, test } from 'vitest'
import { propose } from './allocation.ts'

const open = (guid: string, balanceCents: number, orderGuid: string | null = null) => ({
  ...{ guid, number: guid, dueOn: null, balanceCents, orderGuid },
})
const asked = (...of: Parameters<typeof propose>) => {
  const { cents, creditCents } = propose(...of)
  return [Object.fromEntries(cents), creditCents]
}

describe('what a payment is proposed to pay', () => {
  const invoices = [open('a', 3_000), open('b', 5_000, 'job'), open('c', 4_000)]

  test('is the oldest first, and what is left is credit', () => {
    expect(asked(7_000, invoices, new Map())).toEqual([{ a: 3_000, b: 4_000, c: 0 }, 0])
    expect(asked(20_000, invoices, new Map([['b', 1_000]]))).toEqual([{ a: 3_000, b: 1_000, c: 4_000 }, 12_000])
  })

  test('is of its order alone where money came for one, unless somebody writes otherwise', () => {
    expect(asked(7_000, invoices, new Map(), 'job')).toEqual([{ a: 0, b: 5_000, c: 0 }, 2_000])
    expect(asked(7_000, invoices, new Map([['c', 1_500]]), 'job')).toEqual([{ a: 0, b: 5_000, c: 1_500 }, 500])
    expect(asked(7_000, invoices, new Map(), 'another')).toEqual([{ a: 0, b: 0, c: 0 }, 7_000])
  })
})

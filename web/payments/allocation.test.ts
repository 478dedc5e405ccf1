import { describe, expect, test } from 'vitest'
import { paidInFull, propose, takes, written } from './allocation.ts'

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
    expect(asked(20_000, invoices, new Map())).toEqual([{ a: 3_000, b: 5_000, c: 4_000 }, 8_000])
  })

  test('is what somebody writes, and nothing else goes anywhere by itself', () => {
    // The oldest is cleared, two others are paid, and a little came too much: it stays credit.
    let own = written(propose(3_000, invoices, new Map()), 'a', null)
    expect(asked(3_000, invoices, own)).toEqual([{ a: 0, b: 0, c: 0 }, 3_000])
    own = written(propose(3_000, invoices, own), 'b', 1_000)
    own = written(propose(3_000, invoices, own), 'c', 1_900)
    expect(asked(3_000, invoices, own)).toEqual([{ a: 0, b: 1_000, c: 1_900 }, 100])
    // Another amount moves nothing either.
    expect(asked(2_000, invoices, own)).toEqual([{ a: 0, b: 1_000, c: 1_900 }, -900])
    // What was proposed before stays where nobody wrote.
    expect(asked(20_000, invoices, written(propose(20_000, invoices, new Map()), 'b', 1_000))).toEqual([
      { a: 3_000, b: 1_000, c: 4_000 },
      12_000,
    ])
  })

  test('makes room for an invoice that is paid by one click', () => {
    const [, second, third] = invoices
    if (!second || !third) throw new Error('three invoices')
    let own = paidInFull(propose(9_040, invoices, new Map()), new Map(), third)
    expect(asked(9_040, invoices, own)).toEqual([{ a: 0, b: 0, c: 4_000 }, 5_040])
    own = paidInFull(propose(9_040, invoices, own), own, second)
    expect(asked(9_040, invoices, own)).toEqual([{ a: 0, b: 5_000, c: 4_000 }, 40])
    // Where there is enough for all, the others stay.
    const all = propose(12_000, invoices, new Map([['a', 3_000]]))
    expect(Object.fromEntries(paidInFull(all, new Map(), third))).toEqual({ a: 3_000, b: 0, c: 4_000 })
  })

  test('recovers what was given up of the invoice somebody came from, before any other is paid', () => {
    const given = [{ ...open('lost', 0), writtenOffCents: 160_000 }, open('other', 60_000)]
    expect(asked(50_000, given, new Map())).toEqual([{ lost: 50_000, other: 0 }, 0])
    expect(asked(200_000, given, new Map())).toEqual([{ lost: 160_000, other: 40_000 }, 0])
    // Where something is still owing that is paid, and more only if somebody says so.
    const partly = { ...open('a', 3_000), writtenOffCents: 500 }
    expect(asked(5_000, [partly], new Map())).toEqual([{ a: 3_000 }, 2_000])
    expect(takes(partly)).toBe(3_500)
  })

  test('is of its order alone where money came for one, unless somebody writes otherwise', () => {
    expect(asked(7_000, invoices, new Map(), 'job')).toEqual([{ a: 0, b: 5_000, c: 0 }, 2_000])
    expect(asked(7_000, invoices, new Map([['c', 1_500]]), 'job')).toEqual([{ a: 0, b: 0, c: 1_500 }, 5_500])
    expect(asked(7_000, invoices, new Map(), 'another')).toEqual([{ a: 0, b: 0, c: 0 }, 7_000])
  })
})

import { invalid } from '../../contract/core/errors.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import type { Input } from '../../contract/core/op.ts'
import type { odditiesApi, Oddity, OddityCode } from '../../contract/oddities.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { booksOf, spoken, suspenseOn, suspenseSentence } from '../journal/locks.service.ts'
import { type FoundOddity, odditiesIn } from './oddities.queries.ts'

type Api = typeof odditiesApi

function textOf({ code, cents, on, then, gstCents, expectedCents }: FoundOddity): string {
  const day = spoken(on ?? '')
  const [gst, expected] = [gstCents ?? 0, expectedCents ?? 0].map(centsToDecimal)
  if (code === 'untagged_money')
    return `$${centsToDecimal(cents)} pays no invoice and names no order. Allocate it, or give it back.`
  if (code === 'gst_off') return `GST is $${gst} and a tenth of its taxable lines $${expected}.`
  if (code === 'deposit_held') return `Held since ${day}. Apply it to an invoice, or give it back.`
  return code === 'booked_late'
    ? `Booked on ${spoken(then ?? '')} for ${day}, after that day was locked.`
    : `Received on ${spoken(then ?? '')}, when that day was locked. It counts from ${day}.`
}

const codeOf = (code: FoundOddity['code']): OddityCode => (code === 'received_locked' ? 'booked_late' : code)

/** What to look at in a period, what blocks its lock first. */
export async function odditiesOf(ctx: Ctx, entityGuid: string, from: string, to: string): Promise<Oddity[]> {
  const suspense = await suspenseOn(ctx.db, entityGuid, to)
  const found = await odditiesIn(ctx.db, entityGuid, from, to)
  const blocking: Oddity[] =
    suspense && suspense.cents !== 0
      ? [
          {
            code: 'suspense',
            noun: 'Journal',
            guid: suspense.guid,
            label: suspense.name,
            cents: Math.abs(suspense.cents),
            text: suspenseSentence(suspense.cents),
            blocks: true,
          },
        ]
      : []
  return [
    ...blocking,
    ...found.map((one): Oddity => {
      const { code, noun, guid, label, cents } = one
      return { code: codeOf(code), noun, guid, label, cents, text: textOf(one), blocks: false }
    }),
  ]
}

async function list(ctx: Ctx, { from, to }: Input<Api['list']>) {
  if (from > to) throw invalid('to', 'Choose a day that isn’t before the first.')
  return { items: await odditiesOf(ctx, booksOf(ctx), from, to) }
}

export const oddities: Handlers<Api> = { list }

import { type bookingSelectionsApi, maxTotalled } from '../../contract/booking-selections.ts'
import type { Input } from '../../contract/core/op.ts'
import { answerTexts } from '../../contract/line-options.ts'
import { nouns } from '../../contract/nouns.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { may } from '../core/http/permission.ts'
import { namesIn, reachOf } from '../core/reach.ts'
import { foundSelections, shownSelections, totalsOf } from './selections.queries.ts'

type Api = typeof bookingSelectionsApi

const words = { yes: 'Yes', no: 'No', day: (day: string) => day, quantity: (quantity: string) => quantity }
const seesOrders = (ctx: Ctx) => may(ctx.actor, ...nouns.Orders.amountFor)

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const reach = await reachOf(ctx, input)
  const page = await pageOf({
    query: shownSelections(foundSelections(ctx, reach, input), seesOrders(ctx)),
    input,
    sorts: { answeredAt: 's.answeredAt' },
    guid: 's.guid',
    defaultSort: '-answeredAt',
  })
  const items = page.items.map((item) => {
    const [text] = answerTexts({ asked: [], selections: [{ ...item, at: item.answeredAt, cents: 0 }] }, 'en', words)
    return { ...item, businessName: namesIn(reach, item.businessGuid), answer: text?.answer ?? '' }
  })
  return { ...page, items }
}

async function totals(ctx: Ctx, input: Input<Api['totals']>) {
  const rows = await totalsOf(ctx, foundSelections(ctx, await reachOf(ctx, input), input), seesOrders(ctx))
  const items = [...Map.groupBy(rows, (row) => row.optionCode)].map(([optionCode, some]) => ({
    optionCode,
    label: some[0]?.label ?? '',
    count: some.reduce((sum, { count }) => sum + count, 0),
    choices: some.map(({ code, choice, count, cents }) => ({ code, label: choice, count, cents })),
  }))
  return {
    items: items.toSorted((a, b) => b.count - a.count || a.label.localeCompare(b.label)),
    hasMore: (rows[0]?.read ?? 0) > maxTotalled,
  }
}

export const bookingSelections: Handlers<Api> = { list, totals }

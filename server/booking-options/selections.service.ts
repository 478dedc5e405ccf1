import { type bookingSelectionsApi, maxTotalled } from '../../contract/booking-selections.ts'
import type { Input } from '../../contract/core/op.ts'
import type { Wording } from '../../contract/booking-options.ts'
import { answerText, givenAnswers } from '../../contract/line-options.ts'
import { nouns } from '../../contract/nouns.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { may } from '../core/http/permission.ts'
import { namesIn, reachOf } from '../core/reach.ts'
import { foundSelections, shownSelections, type OptionWording, totalsOf, wordingsOf } from './selections.queries.ts'

type Api = typeof bookingSelectionsApi

const words = { yes: 'Yes', no: 'No', day: (day: string) => day, quantity: (quantity: string) => quantity }
const seesOrders = (ctx: Ctx) => may(ctx.actor, ...nouns.Orders.amountFor)

/** As it was called when it was answered, in the other languages as long as it is still called so. */
const spokenAs = (label: string, today: Wording | undefined): Wording =>
  today?.en === label ? today : { en: label, fr: null, ar: null }
const choiceOf = (option: OptionWording | undefined, code: string) =>
  option?.choices.find((choice) => choice.code === code)?.label
const guidsOf = (rows: readonly { optionGuid: string | null }[]) => [
  ...new Set(rows.flatMap(({ optionGuid }) => optionGuid ?? [])),
]

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const reach = await reachOf(ctx, input)
  const page = await pageOf({
    query: shownSelections(foundSelections(ctx, reach, input), seesOrders(ctx)),
    input,
    sorts: { answeredAt: 's.answeredAt' },
    guid: 's.guid',
    defaultSort: '-answeredAt',
  })
  const items = page.items.flatMap((item) => {
    const { optionCode: code, label, choices, today } = item
    const asked = {
      code,
      label: spokenAs(label, today?.label),
      choices: choices.map((choice) => ({
        ...choice,
        label: spokenAs(choice.label, choiceOf(today ?? undefined, choice.code)),
      })),
    }
    const selection = { ...item, at: item.answeredAt, cents: 0 }
    return givenAnswers({ asked: [asked], selections: [selection] }).map((said) => ({
      ...item,
      businessName: namesIn(reach, item.businessGuid),
      answer: answerText(said, 'en', words).answer,
      said,
    }))
  })
  return { ...page, items }
}

async function totals(ctx: Ctx, input: Input<Api['totals']>) {
  const rows = await totalsOf(ctx, foundSelections(ctx, await reachOf(ctx, input), input), seesOrders(ctx))
  const wordings = await wordingsOf(ctx, guidsOf(rows))
  const items = [...Map.groupBy(rows, (row) => row.optionCode)].map(([optionCode, some]) => ({
    optionCode,
    label: some[0]?.label ?? '',
    wording: spokenAs(some[0]?.label ?? '', wordings.get(some[0]?.optionGuid ?? '')?.label),
    count: some.reduce((sum, { count }) => sum + count, 0),
    choices: some.map(({ code, choice, count, cents, optionGuid }) => ({
      code,
      label: choice,
      wording: code && choice ? spokenAs(choice, choiceOf(wordings.get(optionGuid ?? ''), code)) : null,
      count,
      cents,
    })),
  }))
  return {
    items: items.toSorted((a, b) => b.count - a.count || a.label.localeCompare(b.label)),
    hasMore: (rows[0]?.read ?? 0) > maxTotalled,
  }
}

export const bookingSelections: Handlers<Api> = { list, totals }

import { ask, type Figure, measure, type Target } from './load.ts'
import { listQueries, type Targets } from './operations.ts'
import { errorsOf, f, row, say, seconds, table, verdict, wants } from './output.ts'
import { apiRoot } from './product.ts'

const listMostTimes = 3
/** A page that few rows fill costs the bare one next to nothing, so it is judged by what it takes. */
const nearlyEmptyMostMs = 25
const worstShown = 10
/** There are many, each on rows that the one before has read already. */
const listWarmUpSeconds = 0.2

/** The list by every status in every order, near and far: the worst decides. */
export async function measureLists({ ours, thin }: Targets) {
  if (!wants('lists')) return
  const measured: { query: string; ours: Figure; thin: Figure; isNearlyEmpty: boolean }[] = []
  const check = (answer: { body: string }) => answer.body.includes('"total":')
  for (const query of listQueries) {
    const contenders = [
      { target: ours, call: () => ({ path: `${apiRoot}/Invoices?${query}&size=50`, check }) },
      { target: thin, call: () => ({ path: `/list?${query}`, check }) },
    ]
    const [our, bare] = await measure(contenders, 1, 0.3, listWarmUpSeconds)
    const { body } = await ask(ours, `${apiRoot}/Invoices?${query}&size=50`)
    const { items } = (JSON.parse(body) as { serviceData: { items: unknown[] } }).serviceData
    if (our && bare) measured.push({ query, ours: our, thin: bare, isNearlyEmpty: items.length < 50 })
  }
  const ratioOf = (one: (typeof measured)[number]) => one.ours.median / one.thin.median
  /** Above one it is over. */
  const shareOf = (one: (typeof measured)[number]) =>
    one.isNearlyEmpty ? one.ours.median / nearlyEmptyMostMs : ratioOf(one) / listMostTimes
  table([
    'invoices by status, order and page: the slowest beside the bare one',
    'ours ms',
    'thin ms',
    'ratio',
    'at most',
    '',
    'errors',
  ])
  for (const one of measured.toSorted((x, y) => shareOf(y) - shareOf(x)).slice(0, worstShown)) {
    row([
      one.query,
      f(one.ours.median, 2),
      f(one.thin.median, 2),
      f(ratioOf(one)),
      one.isNearlyEmpty ? `${nearlyEmptyMostMs} ms` : String(listMostTimes),
      verdict(shareOf(one), 1),
      errorsOf(one.ours, one.thin),
    ])
  }
  const slowest = measured.toSorted((x, y) => y.ours.median - x.ours.median)[0]
  const over = measured.filter((one) => shareOf(one) > 1).length
  if (slowest)
    say(
      `\nOf ${measured.length} lists ${over} are over; ` +
        `the slowest is ${slowest.query} with ${f(slowest.ours.median)} ms (thin ${f(slowest.thin.median)}).`,
    )
}

const findMostMs = 30
/** What people type: common and rare words, numbers, phones, amounts, and what is nowhere. */
const fragments: readonly [what: string, text: string][] = [
  ['a common word', 'hire'],
  ['a part of a name', 'cia buil'],
  ['two letters', 'ma'],
  ['a number of a document', 'INV-150000'],
  ['digits of a number', '150000'],
  ['a phone', '0412 3'],
  ['an e-mail', 'info@'],
  ['an ABN', '53 004'],
  ['an amount', '1250.50'],
  ['nothing there is', 'zzqxv'],
]

export async function measureFinding(ours: Target) {
  if (!wants('everything')) return
  table(['search of everything', 'ms', 'p99', 'at most', '', 'errors'])
  for (const [what, text] of fragments) {
    const call = () => ({
      path: `${apiRoot}/Search?q=${encodeURIComponent(text)}`,
      check: (a: { body: string }) => a.body.includes('"groups":['),
    })
    const [figure] = await measure([{ target: ours, call }], 1, Math.min(seconds, 2))
    if (figure)
      row([
        `${what}: ${text}`,
        f(figure.median),
        f(figure.p99),
        String(findMostMs),
        verdict(figure.median, findMostMs),
        String(figure.errors),
      ])
  }
}

// oxlint-disable unicorn/no-thenable -- the specification names it; it is a word, never a function
import fc from 'fast-check'
import type { Quote } from '../../contract/quotes.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import type { GivenAnswer, GivenAsk, Then } from './negotiation-model.ts'

/*
 * What windows of the office and of the customer may do with what they have before the eyes, drawn by dice.
 */

export type Drawn<A> = A extends fc.Arbitrary<infer D> ? D : never
export interface Choice {
  selectedLineGuids?: string[]
  quantities: { lineGuid: string; quantity: string }[]
  answers: { lineGuid: string; answers: { option: string; value: { code: string } }[] }[]
}
const window = fc.constantFrom(0, 1)
const often = (percent: number) => fc.nat(99).map((n) => n < percent)
const some = fc.nat(1000)
/** What an office window may do, how often of a hundred, and with which dice. */
export const officeStep = fc.record({
  who: fc.constant('office' as const),
  window,
  looks: often(75),
  isNewest: often(85),
  deed: fc.constantFrom(
    ...(['answer', 'answer', 'answer', 'answer', 'answer', 'reply', 'revise', 'send', 'send', 'edit', 'edit'] as const),
    ...(['mark accepted', 'mark declined', 'cancel', 'new link'] as const),
  ),
  dice: fc.array(some, { minLength: 12, maxLength: 12 }),
})
export const guestStep = fc.record({
  who: fc.constant('guest' as const),
  window,
  looks: often(75),
  deed: fc.constantFrom(
    ...([
      'ask',
      'ask',
      'ask',
      'ask',
      'withdraw',
      'withdraw',
      'price',
      'accept',
      'accept',
      'accept',
      'decline',
    ] as const),
  ),
  dice: fc.array(some, { minLength: 12, maxLength: 12 }),
})
export type Step = Drawn<typeof officeStep> | Drawn<typeof guestStep>
export type StepOf<W> = Extract<Step, { who: W }>

export const pick = <T>(all: readonly T[], dice: number): T | undefined => all[dice % Math.max(all.length, 1)]
const isTop = ({ parentLineGuid }: { parentLineGuid: string | null }) => parentLineGuid === null

/** A choice on a page: now and then one that cannot be. */
export function choiceOn({ lines }: ServiceQuote, dice: readonly number[]): Choice {
  const top = lines.filter(isTop)
  const [a = 0, b = 0, c = 0, d = 0] = dice
  const ranged = top.find(({ quantityMin }) => quantityMin !== null)
  const moved = pick(['10', '10.5', '12', '14', '12', '11', '9.5', '10.25'], a) ?? ''
  const group = top.filter(({ alternativeGroup }) => alternativeGroup !== null)
  const taken = c % 20 === 0 ? [] : [pick(group, c)?.guid ?? '']
  const optional = top.filter(({ isOptional }) => isOptional && b % 2 === 0).map(({ guid }) => guid)
  const asking = top.find(({ name }) => name === 'Marquee')
  const size = pick(['small', 'large', 'large', 'huge'], d)
  return {
    ...(b % 3 === 0 ? {} : { selectedLineGuids: [...optional, ...taken].filter(Boolean) }),
    quantities: ranged && a % 3 > 0 ? [{ lineGuid: ranged.guid, quantity: moved }] : [],
    answers:
      asking && size && d % 8 > 0
        ? [{ lineGuid: asking.guid, answers: [{ option: 'size', value: { code: size } }] }]
        : [],
  }
}

/** Whether a choice can be signed on a page: of alternatives one, quantities within their range, and the size. */
export function isSoundOn({ lines }: ServiceQuote, { selectedLineGuids, quantities, answers }: Choice): boolean {
  const top = lines.filter(isTop)
  const find = (guid: string) => top.find((line) => line.guid === guid)
  const isOneOfEach = [...Map.groupBy(top, ({ alternativeGroup }) => alternativeGroup ?? '')].every(
    ([group, members]) =>
      group === '' || members.filter(({ guid }) => selectedLineGuids?.includes(guid) ?? true).length === 1,
  )
  const isOfferedChoice = (guid: string) => {
    const line = find(guid)
    return line !== undefined && (line.isOptional || line.alternativeGroup !== null)
  }
  const isInRange = ({ lineGuid, quantity }: Choice['quantities'][number]) => {
    const { quantityMin: min = null, quantityMax: max = null, quantityStep: each = null } = find(lineGuid) ?? {}
    if (min === null || max === null || each === null) return false
    const steps = (Number(quantity) - Number(min)) / Number(each)
    return steps >= 0 && Number(quantity) <= Number(max) && Number.isInteger(steps)
  }
  const asking = top.find(({ name }) => name === 'Marquee')
  const size = answers.find(({ lineGuid }) => lineGuid === asking?.guid)?.answers[0]?.value
  return (
    (selectedLineGuids === undefined || (selectedLineGuids.every(isOfferedChoice) && isOneOfEach)) &&
    quantities.every(isInRange) &&
    answers.every(({ lineGuid }) => lineGuid === asking?.guid) &&
    (asking === undefined || (size !== undefined && size.code !== 'huge'))
  )
}

/** A choice that can be signed on a page, and that is another one than is proposed wherever that can be. */
export function soundOn({ lines }: ServiceQuote): Choice {
  const top = lines.filter(isTop)
  const groups = Map.groupBy(
    top.filter(({ alternativeGroup }) => alternativeGroup !== null),
    ({ alternativeGroup }) => alternativeGroup,
  )
  const taken = [...groups.values()].flatMap(
    (members) => members.find(({ isSelected }) => !isSelected) ?? members[0] ?? [],
  )
  const optional = top.filter(({ isOptional, isSelected }) => isOptional && !isSelected)
  const ranged = top.flatMap(({ guid, quantityMax }) =>
    quantityMax ? [{ lineGuid: guid, quantity: quantityMax }] : [],
  )
  const asking = top.find(({ name }) => name === 'Marquee')
  return {
    selectedLineGuids: [...optional, ...taken].map(({ guid }) => guid),
    quantities: ranged,
    answers: asking ? [{ lineGuid: asking.guid, answers: [{ option: 'size', value: { code: 'large' } }] }] : [],
  }
}

/** The same choice with something that keeps it from being signed. */
export function unsoundOn(page: ServiceQuote, choice: Choice): Choice[] {
  const ranged = page.lines.find(({ quantityMin }) => quantityMin !== null)
  const others = [
    { ...choice, answers: [] },
    ...(ranged ? [{ ...choice, quantities: [{ lineGuid: ranged.guid, quantity: '10.25' }] }] : []),
  ]
  return others.filter((other) => !isSoundOn(page, other))
}

/** What a customer may ask, sensible or not. */
export function asksOn(
  { lines }: ServiceQuote,
  dice: readonly number[],
): { asks: object[]; given: GivenAsk[]; isSound: boolean; isOwnAlone: boolean } {
  const top = lines.filter(isTop)
  const asks = [dice.slice(0, 3), dice.slice(3, 6), dice.slice(6, 9)]
    .slice(0, 1 + ((dice[9] ?? 0) % 3))
    .flatMap((one) => {
      const [a = 0, b = 0, c = 0] = one
      const line = pick(top, a)
      if (!line) return []
      const quantity = pick(['1', '4', '20', '12', '7.5', '14', '3', line.quantity, '999999999'], b) ?? ''
      const kind = pick(['quantity', 'quantity', 'drop', 'comment'] as const, c) ?? 'comment'
      return [{ kind, line, quantity }]
    })
  const isSound = asks.every(({ kind, line, quantity }, i) => {
    if (kind === 'comment') return true
    if (asks.some((one, at) => at < i && one.kind !== 'comment' && one.line === line)) return false
    return kind === 'drop' || (Number(quantity) !== Number(line.quantity) && quantity !== '999999999')
  })
  // What he may choose himself is asked for only together with something else that waits.
  const offers = asks.filter(({ kind }) => kind !== 'comment')
  const isOwn = ({ kind, line, quantity }: (typeof asks)[number]) =>
    kind === 'quantity' && line.quantityMin !== null && ['12', '14'].includes(quantity)
  return {
    isSound,
    isOwnAlone: offers.length > 0 && offers.every(isOwn),
    asks: asks.map(({ kind, line, quantity }) => ({
      kind,
      lineGuid: line.guid,
      ...(kind === 'quantity' ? { quantity } : {}),
      ...(kind === 'comment' ? { text: 'Why?' } : {}),
    })),
    given: asks.map(({ kind, line, quantity }) => ({
      kind,
      lineGuid: line.guid,
      quantity: kind === 'quantity' ? quantity : null,
    })),
  }
}

/** Of no line is the price lower: 999,999,999 of it are more than a document may hold. */
export const leastPrice = 2_000

const lineFields = [
  ...(['guid', 'kind', 'productGuid', 'name', 'description', 'quantity', 'quantityMin', 'quantityMax'] as const),
  ...(['quantityStep', 'unit', 'unitPriceCents', 'discount', 'gstCode', 'isOptional', 'alternativeGroup'] as const),
  'isSelected',
] as const

export function editOf(quote: Quote, [a = 0, b = 0]: readonly number[]): { body: object; isSound: boolean } {
  if (a % 4 === 0) return { body: { title: `Fence ${b}` }, isSound: true }
  if (a % 4 === 1) {
    const isSound = b % 8 > 0
    return { body: { validUntil: isSound ? '2026-07-09' : '2026-06-30' }, isSound }
  }
  if (a % 4 === 2) return { body: { discount: { type: 'percent', value: b } }, isSound: true }
  const lines = quote.lines.filter(isTop).map((line, i) => {
    const kept = Object.fromEntries(lineFields.map((field) => [field, line[field]]))
    return i > 0 && i === b % 4 ? { ...kept, quantity: String(1 + (b % 9)) } : kept
  })
  return { body: { lines }, isSound: true }
}

/** Answers to what a window saw open; now and then one twice, or to what was answered. */
export function answersTo(quote: Quote, dice: readonly number[]): { answers: GivenAnswer[]; then: Then } {
  const open = quote.asks.filter(({ answer, revision }) => answer === null && revision === quote.revision)
  const all = (dice[0] ?? 0) % 15 === 0 ? quote.asks : open
  const answers = all.flatMap(({ guid, kind }, i): GivenAnswer[] => {
    const [a = 0, b = 0] = [dice[(2 * i + 1) % 12], dice[(2 * i + 2) % 12]]
    if (a % 4 === 0) return []
    const text = 'As we said.'
    if (kind === 'comment') return [{ askGuid: guid, outcome: 'agreed', text, quantity: null, unitPriceCents: null }]
    const outcome = pick(['agreed', 'agreed', 'declined', 'countered'] as const, b) ?? 'declined'
    const offers = outcome === 'countered' ? 1 + (a % 3) : 0
    return [
      {
        askGuid: guid,
        outcome,
        text: b % 2 ? text : null,
        quantity: offers % 2 === 1 ? (b % 20 === 0 ? '999999999' : String(1 + (b % 30))) : null,
        unitPriceCents: offers >= 2 ? leastPrice + 37 * b : null,
      },
    ]
  })
  return { answers, then: pick(['nothing', 'nothing', 'send', 'send', 'revise'] as const, dice[11] ?? 0) ?? 'nothing' }
}

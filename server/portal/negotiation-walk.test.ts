// oxlint-disable unicorn/no-thenable -- the specification names it; it is a word, never a function
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Comparison } from '../../contract/negotiation.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { verifyEvidence } from '../../contract/evidence.ts'
import type { Quote } from '../../contract/quotes.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { type Actors, aGuest } from '../../test/support/actors.ts'
import { ok, startBusiness } from '../../test/support/factories.ts'
import { type Act, after, type Family, type ModelAsk, type Refusal } from '../../test/support/negotiation-model.ts'
import {
  answersTo,
  asksOn,
  type Choice,
  choiceOn,
  type Drawn,
  editOf,
  guestStep,
  officeStep,
  isSoundOn,
  leastPrice,
  pick,
  soundOn,
  type Step,
  type StepOf,
  unsoundOn,
} from '../../test/support/negotiation-steps.ts'
import {
  expectChain,
  expectSent,
  expectSigned,
  familyOf,
  sha256,
  signedText,
  type World,
  worldOf,
} from '../../test/support/negotiation-world.ts'
import type { Answer, Caller, Running } from '../../test/support/start.ts'
import { canonical, documentData } from '../documents/documents.service.ts'
import { verifyLedger } from '../ledger/verify.ts'

/*
 * Random negotiations: two windows of the office and two of the customer, each with what it read when it last looked,
 * do whatever can be done, one after the other or two at once. A model of the rules says what must come of it.
 * `WALK_SEED=<seed> npm test -- negotiation-walk` walks again what a run has walked.
 */

const isProof = process.env['PROVE'] === '1'
const seed = Number(process.env['WALK_SEED'] ?? Date.now() % 1_000_000)

/** Fourteen minutes before midnight in Sydney. */
const evening = Date.parse('2026-07-01T13:46:00Z')
const midnightMs = 14 * 60_000
const yearMs = 365 * 86_400_000
let clock = evening
let app: Running
let people: Actors & { guestNextYear: Caller }
let customerGuid: string
let fenceGuid: string
let marqueeGuid: string
beforeAll(async () => {
  const business = await startBusiness({ now: () => new Date(clock) })
  ;({ app, customerGuid } = business)
  clock += yearMs
  people = { ...business.actors, guestNextYear: await aGuest(app) }
  clock = evening
  const post = async <D>(path: string, body: object) => ok(await app.call<D>(people.office, 'POST', path, body), 201)
  type Made = { product: { guid: string } }
  const fence = { name: 'Hoarding', priceCents: 14_800, unit: 'm', tiers: [{ from: '12', priceCents: 14_000 }] }
  fenceGuid = (await post<Made>('/Products', fence)).product.guid
  const { bookingOption } = await post<{ bookingOption: { guid: string } }>('/Products/BookingOptions', {
    code: 'size',
    label: { en: 'Size?' },
    input: 'single',
    required: true,
    answeredBy: 'guest',
    choices: [
      { code: 'small', label: { en: 'Small' } },
      { code: 'large', label: { en: 'Large' }, cents: 20_000 },
    ],
  })
  const marquee = { name: 'Marquee', priceCents: 100_000, optionGuids: [bookingOption.guid] }
  marqueeGuid = (await post<Made>('/Products', marquee)).product.guid
}, 60_000)
afterAll(() => app.stop())

interface Priced {
  totals: { totalCents: number }
  depositCents: number
  choiceSha256: string
  problems: object[]
}
interface GuestWindow {
  linkGuid: string
  page: ServiceQuote | null
  priced: { choice: Choice; sha256: string } | null
}
/** What is walked through. */
interface Walk {
  rootGuid: string
  world: World
  family: Family
  office: (Quote | null)[]
  guests: GuestWindow[]
  /** What a choice on a document came to, whoever asked and whenever. */
  prices: Map<string, Priced>
  signed: string | null
  told: string[]
}
/** A deed as a window does it. */
interface Deed {
  act: Act
  who: 'office' | 'guest' | 'guestNextYear'
  method: 'POST' | 'PATCH'
  path: string
  body: object
  /** Of a customer who signs: what he has before the eyes and chose, and what that comes to as far as he was told. */
  signs?: { page: ServiceQuote; choice: Choice; sha256: string | undefined }
}

const start = fc.record({
  priceMode: fc.constantFrom('exclusive', 'inclusive'),
  roundingRule: fc.constantFrom('total_invoice', 'taxable_supply'),
  discount: fc.constantFrom(null, { type: 'percent', value: 1250 }, { type: 'fixed', value: 12_345 }),
  depositRule: fc.constantFrom({ type: 'none' }, { type: 'percent', value: 3_333 }),
  validUntil: fc.constantFrom('2026-07-01', '2026-07-20'),
})
type Start = Drawn<typeof start>

const linesOf = (priceMode: string) => [
  {
    name: 'Hoarding',
    quantity: '10',
    unit: 'm',
    productGuid: fenceGuid,
    ...{ quantityMin: '10', quantityMax: '14', quantityStep: '0.5' },
  },
  { name: 'Gate', quantity: '2', unitPriceCents: priceMode === 'inclusive' ? 30_805 : 28_005 },
  { name: 'Banner', quantity: '1', unitPriceCents: 9_999, isOptional: true },
  { name: 'White', quantity: '3', unitPriceCents: 3_333, alternativeGroup: 'Colour', isSelected: true },
  { name: 'Gold', quantity: '3', unitPriceCents: 7_777, alternativeGroup: 'Colour' },
  { name: 'Marquee', quantity: '1', productGuid: marqueeGuid },
]

async function begin(facts: Start): Promise<Walk> {
  clock = evening
  const quote = { customerGuid, title: 'Fence', lines: linesOf(facts.priceMode), ...facts }
  const made = ok(await app.call<{ quote: Quote }>(people.office, 'POST', '/Quotes', quote), 201).quote
  ok(await app.call(people.office, 'POST', `/Quotes/Send/${made.guid}`, { version: made.version }))
  const world = await worldOf(app, made.guid)
  const nobody = (): GuestWindow => ({ linkGuid: '', page: null, priced: null })
  return {
    rootGuid: made.guid,
    world,
    family: familyOf(world, '2026-07-01'),
    office: [null, null],
    guests: [nobody(), nobody()],
    prices: new Map(),
    signed: null,
    told: [],
  }
}

/** The office opens the newest revision that counts, or any. */
async function officeLooks(walk: Walk, { window: at, isNewest, dice }: StepOf<'office'>) {
  const { revisions } = walk.family
  const newest = revisions.findLast(({ status }) => status !== 'cancelled') ?? revisions.at(-1)
  const guid = (isNewest ? newest : pick(revisions, dice[0] ?? 0))?.guid ?? ''
  walk.office[at] = ok(await app.call<{ quote: Quote }>(people.office, 'GET', `/Quotes/${guid}`)).quote
}

/** The customer opens his link and reads. */
async function guestLooks(walk: Walk, { window: at }: Pick<StepOf<'guest'>, 'window'>) {
  const linkGuid = walk.family.link?.guid ?? ''
  const found = await app.call<{ quote: ServiceQuote }>(people.guest, 'GET', `/Service/Quotes/${linkGuid}`)
  const behind = walk.family.revisions.find(({ guid }) => guid === walk.family.link?.quoteGuid)
  const page = ok(found).quote
  expect([page.documentSha256, ['draft', 'superseded'].includes(page.status)]).toEqual([behind?.documentSha256, false])
  await app.call(people.guest, 'POST', `/Service/Viewed/${linkGuid}`)
  walk.world = await read(walk)
  walk.family = familyOf(walk.world, walk.family.day)
  walk.guests[at] = { linkGuid, page, priced: walk.guests[at]?.priced ?? null }
}

const read = async (walk: Pick<Walk, 'rootGuid' | 'world'>) => {
  const world = await worldOf(app, walk.rootGuid)
  expectChain(world, walk.world)
  expectSent(world, walk.world)
  return world
}

const call = (walk: Walk, { who, method, path, body }: Deed): Promise<Answer<Record<string, unknown>>> => {
  walk.told.push(`${path} ${JSON.stringify(body)}`)
  return app.call(people[who], method, path, body)
}

/**
 * The hash of a choice on the document a window has, the same whenever it is asked; undefined where nobody was told it.
 * The product finds it sound where the model does.
 */
async function priceOf(walk: Walk, { linkGuid, page }: GuestWindow, choice: Choice): Promise<string | undefined> {
  const body = { documentSha256: page?.documentSha256, ...choice }
  const key = canonical(body)
  const answer = await app.call<Priced>(people.guest, 'POST', `/Service/Quotes/Price/${linkGuid}`, body)
  const isSound = page !== null && isSoundOn(page, choice)
  if (answer.status === 422) expect([walk.told, body, isSound]).toEqual([walk.told, body, false])
  if (answer.status !== 200) return walk.prices.get(key)?.choiceSha256
  const { choiceSha256, totals, depositCents, problems } = answer.data
  expect([walk.told, body, isSound]).toEqual([walk.told, body, problems.length === 0])
  const said = { choiceSha256, totals, depositCents, problems }
  expect(said).toEqual(walk.prices.get(key) ?? said)
  walk.prices.set(key, said)
  return choiceSha256
}

async function guestDeed(walk: Walk, step: StepOf<'guest'>): Promise<Deed | null> {
  const own = walk.guests[step.window]
  if (!own?.page || step.looks) await guestLooks(walk, step)
  const seen = walk.guests[step.window]
  if (!seen?.page) return null
  const { linkGuid, page } = seen
  const { documentSha256 } = page
  const basis = { linkGuid, documentSha256 }
  const { dice } = step
  const deedOf = (what: string, act: Act, body: object): Deed => ({
    act,
    who: 'guest',
    method: 'POST',
    path: `/Service/Quotes/${what}/${linkGuid}`,
    body: { documentSha256, ...body },
  })
  if (step.deed === 'ask') {
    const { asks, given, ...how } = asksOn(page, dice)
    return asks.length === 0 ? null : deedOf('Asks', { ...basis, deed: 'ask', asks: given, ...how }, { asks })
  }
  if (step.deed === 'withdraw') {
    const open = page.asks.filter(({ answer }) => answer === null)
    const some = (dice[0] ?? 0) % 10 === 0 ? page.asks : open
    const askGuids = some.filter((_, i) => i === 0 || (dice[i % 12] ?? 0) % 2 === 0).map(({ guid }) => guid)
    return askGuids.length === 0 ? null : deedOf('Withdraw', { ...basis, deed: 'withdraw', askGuids }, { askGuids })
  }
  if (step.deed === 'decline')
    return (dice[0] ?? 0) % 9 > 0 ? null : deedOf('Decline', { ...basis, deed: 'decline' }, { reasonCode: 'price' })
  const drawn = choiceOn(page, dice)
  const sha256OfDrawn = await priceOf(walk, seen, drawn)
  if (sha256OfDrawn && (step.deed === 'price' || seen.priced === null))
    seen.priced = { choice: drawn, sha256: sha256OfDrawn }
  if (step.deed === 'price') return null
  // Now and then he signs another choice than the one he saw priced, or names none.
  const isOther = (dice[5] ?? 0) % 4 === 0
  const choice = isOther ? drawn : (seen.priced?.choice ?? drawn)
  const sha256Now = isOther ? sha256OfDrawn : await priceOf(walk, seen, choice)
  // Where nobody was told what his choice comes to now, the model can't say whether it is what he names.
  const named = sha256Now === undefined || (dice[6] ?? 0) % 5 === 0 ? undefined : seen.priced?.sha256
  return signing(linkGuid, { page, choice, sha256: sha256Now }, named)
}

/** A customer signs a choice on a page, and may name the price he was told. */
const signing = (linkGuid: string, signs: NonNullable<Deed['signs']>, choiceSha256?: string): Deed => {
  const { page, choice, sha256: price } = signs
  const { documentSha256 } = page
  const isAsPriced = choiceSha256 === undefined || choiceSha256 === price
  return {
    act: { linkGuid, documentSha256, deed: 'accept', isSound: isSoundOn(page, choice), isAsPriced },
    who: 'guest',
    method: 'POST',
    path: `/Service/Quotes/Accept/${linkGuid}`,
    body: { documentSha256, name: 'Anna', ...choice, ...(choiceSha256 && { choiceSha256 }) },
    signs,
  }
}

async function officeDeed(walk: Walk, step: StepOf<'office'>): Promise<Deed | null> {
  if (!walk.office[step.window] || step.looks) await officeLooks(walk, step)
  const quote = walk.office[step.window]
  if (!quote) return null
  const { guid, version } = quote
  const basis = { guid, version }
  const { deed, dice } = step
  const deedOf = (what: string, act: Act, body: object = {}, method: Deed['method'] = 'POST'): Deed => ({
    act,
    who: 'office',
    method,
    path: `/Quotes/${what}${guid}`,
    body: { version, ...body },
  })
  switch (deed) {
    case 'edit': {
      const { body, isSound } = editOf(quote, dice)
      return deedOf('', { ...basis, deed, isSound }, body, 'PATCH')
    }
    case 'answer': {
      const { answers, then } = answersTo(quote, dice)
      return deedOf('Answer/', { ...basis, deed, answers, then }, { answers, then })
    }
    case 'reply':
      return deedOf('Reply/', { ...basis, deed }, { text: 'As it is, sorry.' })
    case 'mark accepted':
      return (dice[0] ?? 0) % 4 > 0 ? null : deedOf('Accept/', { ...basis, deed }, { name: 'Anna', method: 'phone' })
    case 'mark declined':
      return (dice[0] ?? 0) % 9 > 0 ? null : deedOf('Decline/', { ...basis, deed }, { reasonCode: 'timing' })
    case 'cancel':
      return (dice[0] ?? 0) % 9 > 0 ? null : deedOf('Cancel/', { ...basis, deed }, { reason: 'Not needed' })
    case 'new link':
      return deedOf('Link/', { ...basis, deed })
    case 'send':
      return deedOf('Send/', { ...basis, deed })
    case 'revise':
      return deedOf('Revise/', { ...basis, deed })
  }
}

const composed = (walk: Walk, step: Step) => (step.who === 'office' ? officeDeed(walk, step) : guestDeed(walk, step))

/** A refusal tells whoever reads it what is the matter, in a sentence. */
function expectSentence({ message, errors, body }: Answer, walk: Walk) {
  for (const said of [message, ...errors.map((one) => one.message)])
    expect([walk.told, body, /^[A-Z].*[.?]$/s.test(said)]).toEqual([walk.told, body, true])
}

/** Asks in the order they are kept in: those that came with one call have the same time. */
function named(asks: readonly ModelAsk[], found: readonly ModelAsk[]): ModelAsk[] {
  const left = [...asks]
  const same = found.flatMap(({ guid, kind, lineGuid, quantity }) => {
    const at = left.findIndex((ask) =>
      ask.guid === '' ? ask.kind === kind && ask.lineGuid === lineGuid && ask.quantity === quantity : ask.guid === guid,
    )
    return left.splice(at, at < 0 ? 0 : 1).map((ask) => ({ ...ask, guid }))
  })
  return [...same, ...left]
}

/** Guids, versions and days that the product gave stand where the model has none. */
function adopted(found: Family, expected: Family, isEdited: (guid: string) => boolean): Family {
  return {
    ...found,
    link: found.link && expected.link && { ...found.link, guid: expected.link.guid || found.link.guid },
    revisions: expected.revisions.map((one, i) => {
      const now = found.revisions[i]
      if (!now) return one
      const lines = now.lines.map((line, at) => {
        const said = one.lines[at]
        // Its price is the tier's that its quantity reaches; what was agreed or entered by hand stays.
        return (
          said && {
            ...line,
            ...(said.isPriceManual && { unitPriceCents: said.unitPriceCents }),
            quantity: said.quantity,
            origin: said.origin,
            isPriceManual: said.isPriceManual,
          }
        )
      })
      return {
        ...now,
        status: one.status,
        previousGuid: one.previousGuid,
        lines: isEdited(now.guid) ? now.lines : lines.flatMap((line) => (line ? [line] : [])),
        asks: named(one.asks, now.asks),
      }
    }),
  }
}

/** What is there now is what the model says, and what was signed stays signed. */
async function settle(walk: Walk, expected: readonly Family[]) {
  const world = await read(walk)
  const found = familyOf(world, walk.family.day)
  const accepted = world.quotes.find(({ status }) => status === 'converted')
  const wasAccepted = walk.family.revisions.some(({ status }) => status === 'converted')
  const isEdited = (guid: string) =>
    (guid === accepted?.guid && !wasAccepted) ||
    world.quotes.some((quote) => quote.guid === guid && quote.status === 'draft' && quote.version > 1)
  const wanted = expected.map((one) => adopted(found, one, isEdited))
  if (!wanted.some((one) => canonical(one) === canonical(found)))
    expect({ told: walk.told, family: found }).toEqual({ told: walk.told, family: wanted[0] })
  if (accepted && !wasAccepted) expectSigned(world, accepted)
  if (accepted) {
    const { content, state } = await documentData(app.deps.db, 'quote', accepted.guid)
    const signed = signedText(world, accepted, { content, accepted: state.accepted })
    expect(signed).toBe(walk.signed ?? signed)
    walk.signed = signed
  }
  walk.world = world
  walk.family = found
}

async function expectUnchanged(walk: Walk) {
  const now = await read(walk)
  expect({ told: walk.told, now }).toEqual({ told: walk.told, now: walk.world })
}

const isRefusal = (outcome: Family | Refusal): outcome is Refusal => typeof outcome === 'number'

/**
 * Before a customer signs what he may sign he tries what he may not, and nothing comes of it: another document than the
 * one behind his link, another price than he was told, what can't be chosen, and the same when the offer is over.
 */
async function tempt(walk: Walk, deed: Deed) {
  const { act, signs } = deed
  if (!signs || !('linkGuid' in act) || isRefusal(after(walk.family, act))) return
  const { page, choice } = signs
  const { linkGuid, documentSha256 } = act
  const earlier = walk.family.revisions.find(({ documentSha256: own }) => own !== null && own !== documentSha256)
  const otherPage = { ...page, documentSha256: earlier?.documentSha256 ?? sha256('another document') }
  const prices = [...walk.prices.values()].map(({ choiceSha256 }) => choiceSha256)
  const otherPrice = prices.find((one) => one !== signs.sha256) ?? sha256('another price')
  const wrong = [
    signing(linkGuid, { ...signs, page: otherPage }),
    signing(linkGuid, signs, otherPrice),
    ...unsoundOn(page, choice).map((other) => signing(linkGuid, { ...signs, choice: other })),
  ]
  for (const one of wrong) await doOne(walk, one)
  if (!page.validUntil) return
  const { day } = walk.family
  clock += yearMs
  walk.family.day = '2027-07-01'
  await doOne(walk, { ...deed, who: 'guestNextYear' })
  clock -= yearMs
  walk.family.day = day
}

/** What was signed is what was chosen, and comes to what was shown. */
function expectAsShown(
  { world, prices, told }: Walk,
  { page: { documentSha256 }, choice }: NonNullable<Deed['signs']>,
) {
  const quote = world.quotes.find(({ status }) => status === 'converted')
  const lines = world.lines.filter(({ quoteGuid, parentLineGuid }) => quoteGuid === quote?.guid && !parentLineGuid)
  const { selectedLineGuids: selected } = choice
  const chosen = lines.filter((line) => (line.isOptional || line.alternativeGroup !== null) && line.isSelected)
  if (selected) expect([told, chosen.map(({ guid }) => guid).toSorted()]).toEqual([told, selected.toSorted()])
  const quantities = choice.quantities.map(({ lineGuid, quantity }) => ({ lineGuid, quantity: Number(quantity) }))
  const moved = lines.map(({ guid, quantity }) => ({ lineGuid: guid, quantity: Number(quantity) }))
  expect(moved).toEqual(expect.arrayContaining(quantities))
  const shown = prices.get(canonical({ documentSha256, ...choice }))
  if (shown) expect([told, quote?.totalCents]).toEqual([told, shown.totals.totalCents])
}

async function doOne(walk: Walk, deed: Deed) {
  const expected = after(walk.family, deed.act)
  const answer = await call(walk, deed)
  walk.told.push(`  ${answer.status} ${answer.message}`)
  const told = walk.told.join('\n')
  if (isRefusal(expected)) {
    expect([told, answer.status]).toEqual([told, expected])
    expectSentence(answer, walk)
    return expectUnchanged(walk)
  }
  if (answer.status >= 300) expect.fail(`${told}\nshould have been done: ${answer.body.slice(0, 400)}`)
  await settle(walk, [expected])
  if (deed.signs) expectAsShown(walk, deed.signs)
}

/** Two windows at the same moment: what comes of it is what comes of one after the other. */
async function doBoth(walk: Walk, first: Deed, second: Deed) {
  const [one, two] = await Promise.all([call(walk, first), call(walk, second)])
  walk.told.push(`  at once: ${one.status} ${one.message} | ${two.status} ${two.message}`)
  const outcomeOf = ({ status }: Answer) => (status < 300 ? 200 : status)
  const said = [outcomeOf(one), outcomeOf(two)]
  const inOrder = (acts: readonly [Act, Act]) => {
    let family = walk.family
    const statuses = acts.map((act) => {
      const outcome = after(family, act)
      if (isRefusal(outcome)) return outcome
      family = outcome
      return 200
    })
    return { family, statuses }
  }
  const forth = inOrder([first.act, second.act])
  const back = inOrder([second.act, first.act])
  const possible = [forth, { ...back, statuses: back.statuses.toReversed() }].filter(
    ({ statuses }) => statuses.join() === said.join(),
  )
  const told = walk.told.join('\n')
  if (possible.length === 0) expect.fail(`${told}\nis neither ${forth.statuses.join()} nor ${back.statuses.join()}`)
  for (const answer of [one, two]) if (answer.status >= 300) expectSentence(answer, walk)
  await settle(
    walk,
    possible.map(({ family }) => family),
  )
  if (first.signs && one.status < 300) expectAsShown(walk, first.signs)
  if (second.signs && two.status < 300) expectAsShown(walk, second.signs)
}

/** At the end the customer looks once more and signs what he has, if he may, with everything chosen that can be. */
async function signAtLast(walk: Walk) {
  await guestLooks(walk, { window: 0 })
  const [own] = walk.guests
  if (!own?.page) return
  const choice = soundOn(own.page)
  const price = await priceOf(walk, own, choice)
  const deed = signing(own.linkGuid, { page: own.page, choice, sha256: price }, price)
  await tempt(walk, deed)
  await doOne(walk, deed)
}

/** At the end of a walk: the file of evidence proves itself, and revisions are compared alike from both sides. */
async function finish(walk: Walk) {
  const sent = walk.world.quotes.filter(({ sentAt }) => sentAt !== null)
  const last = sent.at(-1)
  const file = await app.call(people.office, 'GET', `/Quotes/Evidence/${last?.guid}`)
  const evidence = JSON.parse(file.body) as Evidence
  const proof = await verifyEvidence(evidence, (text) => Promise.resolve(sha256(text)))
  expect(proof).toEqual({ problem: null, position: null, lastSha256: evidence.events.at(-1)?.sha256 })
  expect(Object.keys(evidence.documents)).toEqual(
    expect.arrayContaining(sent.map(({ snapshotSha256 }) => snapshotSha256)),
  )
  for (const [i, to] of sent.slice(1).entries()) {
    const from = sent[i]
    if (!from) continue
    const path = `/Quotes/Compare/${to.guid}?with=${from.guid}`
    const { comparison } = ok(await app.call<{ comparison: Comparison }>(people.office, 'GET', path))
    expect(comparison.deltaCents).toBe(to.totalCents - from.totalCents)
    if (walk.family.link?.quoteGuid !== to.guid) continue
    const theirs = `/Service/Quotes/Compare/${walk.family.link.guid}?from=${from.revision}`
    const page = ok(await app.call<{ comparison: Comparison }>(people.guest, 'GET', theirs))
    expect(page.comparison).toEqual(comparison)
  }
}

const command = (name: string, run: (walk: Walk) => Promise<void>) => ({
  check: () => true,
  run: async (_model: object, { walk }: { walk: Walk }) => {
    clock += 50
    await run(walk)
  },
  toString: () => name,
})
const single = (step: Step) =>
  command(`${step.who} ${step.window} ${step.deed}`, async (walk) => {
    const deed = await composed(walk, step)
    if (deed) await tempt(walk, deed)
    if (deed) await doOne(walk, deed)
  })
const race = ([first, second]: [Step, Step]) =>
  command(`${first.who} ${first.deed} while ${second.who} ${second.deed}`, async (walk) => {
    const [one, two] = [await composed(walk, first), await composed(walk, second)]
    if (one && two) await doBoth(walk, one, two)
  })
const midnight = command('midnight', (walk) => {
  if (clock < evening + midnightMs) clock += midnightMs
  walk.family = { ...walk.family, day: '2026-07-02' }
  return Promise.resolve()
})
const otherPrices = (priceCents: number) =>
  command('other prices', async () => {
    await app.deps.db.updateTable('products').set({ priceCents }).where('guid', '=', marqueeGuid).execute()
  })

const step = fc.oneof(officeStep, guestStep)
const commands = fc.array(
  fc.oneof(
    officeStep.map(single),
    guestStep.map(single),
    officeStep.map(single),
    guestStep.map(single),
    officeStep.map(single),
    guestStep.map(single),
    fc.tuple(step, step).map(race),
    fc.tuple(guestStep, guestStep).map(race),
    fc.oneof(fc.constant(midnight), fc.integer({ min: leastPrice, max: 99_999 }).map(otherPrices)),
  ),
  { minLength: 30, maxLength: 45, size: 'max' },
)

const walks = (numRuns: number, from: number, stories: typeof commands = commands) =>
  fc.assert(
    fc.asyncProperty(start, stories, async (facts, story) => {
      const walk = await begin(facts)
      await fc.asyncModelRun(() => ({ model: {}, real: { walk } }), story)
      await signAtLast(walk)
      await finish(walk)
    }),
    { numRuns, seed: from, endOnFailure: true },
  )

test('an offer that nobody talks about is signed as it was chosen, and no other way', async () => {
  await walks(isProof ? 20 : 2, 9, fc.constant([]))
}, 600_000)

test('whatever both sides of a quote do, nothing unsent is signed and nothing signed changes', async () => {
  await walks(isProof ? 150 : 1, 11)
  expect((await verifyLedger(app.deps.db)).problems).toEqual([])
}, 600_000)

test(`the same of other negotiations every time (seed ${seed})`, async () => {
  await walks(isProof ? 100 : 1, seed)
}, 600_000)

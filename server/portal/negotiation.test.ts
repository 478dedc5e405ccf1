// oxlint-disable unicorn/no-thenable -- the specification names it; it is a word, never a function
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Evidence } from '../../contract/evidence.ts'
import { verifyEvidence } from '../../contract/evidence.ts'
import type { Comparison, Frame } from '../../contract/negotiation.ts'
import type { Quote } from '../../contract/quotes.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import type { Actors } from '../../test/support/actors.ts'
import { inTransaction, systemRun } from '../core/run.ts'
import { documentData } from '../documents/documents.service.ts'
import { lockVisibleQuote } from '../quotes/quote.service.ts'
import { sendQuote } from '../quotes/quotes.service.ts'
import { reissueQuoteLink } from '../quotes/quotes.transitions.ts'
import { aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

let app: Running
let people: Actors
let customerGuid: string
let fenceGuid: string
beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness())
  const made = await app.call<{ product: { guid: string } }>(people.office, 'POST', '/Products', {
    name: 'Hoarding type A',
    priceCents: 14_800,
    unit: 'm',
    tiers: [{ from: '12', priceCents: 14_000 }],
  })
  fenceGuid = ok(made, 201).product.guid
}, 60_000)
afterAll(() => app.stop())

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Ten metres, of which the customer may have up to fourteen, a gate, and a banner he may leave. */
const aQuote = () =>
  aSentQuote(app, people.office, customerGuid, {
    depositRule: { type: 'percent', value: 5_000 },
    lines: [
      {
        name: 'Hoarding type A',
        quantity: '10',
        unit: 'm',
        productGuid: fenceGuid,
        quantityMin: '10',
        quantityMax: '14',
        quantityStep: '0.5',
      },
      { name: 'Gate', quantity: '1', unitPriceCents: 28_000 },
      { name: 'Banner', quantity: '1', unitPriceCents: 9_900, isOptional: true },
    ],
  })
type Sent = Awaited<ReturnType<typeof aQuote>>
const lineOf = (quote: Sent, index: number) => quote.lines[index]?.guid ?? ''

const guest = <D>(quote: Pick<Sent, 'serviceGuid'>, what: string, body: object) =>
  app.call<D>(people.guest, 'POST', `/Service/Quotes/${what}/${quote.serviceGuid}`, body)
const page = async (quote: Pick<Sent, 'serviceGuid'>) =>
  ok(await app.call<{ quote: ServiceQuote }>(people.guest, 'GET', `/Service/Quotes/${quote.serviceGuid}`)).quote
const staffs = async (guid: string) =>
  ok(await app.call<{ quote: Quote }>(people.office, 'GET', `/Quotes/${guid}`)).quote
const ask = (quote: Sent, asks: object[]) =>
  guest<{ quote: ServiceQuote }>(quote, 'Asks', { documentSha256: quote.documentSha256, asks })
const answer = async (guid: string, answers: object[], then = 'nothing') =>
  app.call<{ quote: Quote; revision: Quote | null }>(people.office, 'POST', `/Quotes/Answer/${guid}`, {
    version: (await staffs(guid)).version,
    answers,
    then,
  })
interface Priced {
  totals: { totalCents: number }
  depositCents: number
  choiceSha256: string
  problems: { path: string; message: string }[]
}
/** How many calls wait for a row that another has locked. */
const waiting = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.deps.db)
  return rows[0]?.n
}
const price = async (quote: Sent, more: object) =>
  ok(await guest<Priced>(quote, 'Price', { documentSha256: quote.documentSha256, ...more }))

describe('a quantity that is the customer’s', () => {
  test('is priced live by what was offered, and signed as it was moved', async () => {
    const quote = await aQuote()
    expect(quote.totals.totalCents).toBe(193_600)
    await app.deps.db
      .updateTable('products')
      .set({ priceCents: 1, tiers: '[]' })
      .where('guid', '=', fenceGuid)
      .execute()
    const quantities = [{ lineGuid: lineOf(quote, 0), quantity: '12.5' }]
    const priced = await price(quote, { quantities })
    // 12.5 × 140.00 + 280.00, GST on top: the tier from 12 on.
    expect([priced.totals.totalCents, priced.depositCents, priced.problems]).toEqual([223_300, 111_650, []])
    const accept = (more: object) =>
      guest<{ quote: { totals: { totalCents: number } } }>(quote, 'Accept', {
        documentSha256: quote.documentSha256,
        name: 'Anna',
        ...more,
      })
    const refused = await accept({ choiceSha256: priced.choiceSha256 })
    expect([refused.status, refused.error]).toEqual([409, 'STALE_VERSION'])
    const done = ok(await accept({ quantities, choiceSha256: priced.choiceSha256 }))
    expect(done.quote.totals.totalCents).toBe(223_300)
    const signed = await staffs(quote.guid)
    expect([signed.lines[0]?.quantity, signed.lines[0]?.unitPriceCents]).toEqual(['12.5', 14_000])
    const order = await app.deps.db
      .selectFrom('orderLines')
      .select(['quantity', 'quantityMin'])
      .where('orderGuid', '=', signed.orderGuid ?? '')
      .orderBy('position')
      .executeTakeFirstOrThrow()
    expect(order).toEqual({ quantity: '12.5000', quantityMin: null })
    await app.deps.db
      .updateTable('products')
      .set({ priceCents: 14_800, tiers: JSON.stringify([{ from: '12', priceCents: 14_000 }]) })
      .where('guid', '=', fenceGuid)
      .execute()
  })

  test.each([
    ['9.5', 'below the least'],
    ['14.5', 'above the most'],
    ['10.25', 'between two steps'],
  ])('of %s is refused as %s', async (quantity) => {
    const quote = await aQuote()
    const { problems } = await price(quote, { quantities: [{ lineGuid: lineOf(quote, 0), quantity }] })
    const message = 'Choose between 10 and 14 m, in steps of 0.5.'
    expect(problems).toEqual([{ path: `quantities.${lineOf(quote, 0)}`, message }])
    const refused = await guest(quote, 'Accept', {
      documentSha256: quote.documentSha256,
      name: 'Anna',
      quantities: [{ lineGuid: lineOf(quote, 0), quantity }],
    })
    expect([refused.status, (await page(quote)).status]).toEqual([422, 'sent'])
  })

  test('is none where no range was offered, nor on orders', async () => {
    const quote = await aQuote()
    const refused = await guest(quote, 'Price', {
      documentSha256: quote.documentSha256,
      quantities: [{ lineGuid: lineOf(quote, 1), quantity: '2' }],
    })
    expect([refused.status, refused.errors]).toEqual([
      422,
      [{ path: 'quantities.0.lineGuid', message: 'We can’t find that line.' }],
    ])
    const order = await app.call(people.office, 'POST', '/Orders', {
      customerGuid,
      title: 'Fence',
      lines: [{ name: 'Fence', unitPriceCents: 100, quantity: '2', quantityMin: '1', quantityMax: '3' }],
    })
    expect(order.errors).toEqual([
      { path: 'lines.0.quantityMin', message: 'Only quotes can leave the quantity to the customer.' },
    ])
  })
})

describe('what a customer asks', () => {
  test('keeps him from accepting until it is taken back, and a comment does not', async () => {
    const quote = await aQuote()
    const asked = ok(
      await ask(quote, [
        { kind: 'comment', lineGuid: lineOf(quote, 1), text: 'Which way does it open?' },
        { kind: 'quantity', lineGuid: lineOf(quote, 0), quantity: '20' },
        { kind: 'drop', lineGuid: lineOf(quote, 1) },
      ]),
      201,
    ).quote
    expect(asked.status).toBe('changes_requested')
    // 20 × 140.00 instead of 10 × 148.00, and the gate's 280.00, both with GST.
    expect(asked.asks.map(({ kind, effectCents }) => [kind, effectCents])).toEqual(
      expect.arrayContaining([
        ['comment', null],
        ['quantity', 145_200],
        ['drop', -30_800],
      ]),
    )
    const accept = () => guest(quote, 'Accept', { documentSha256: quote.documentSha256, name: 'Anna' })
    const refused = await accept()
    expect([refused.status, refused.message]).toEqual([409, 'Withdraw your request to accept this quote.'])
    const withdraw = (guids: string[]) =>
      guest<{ quote: ServiceQuote }>(quote, 'Withdraw', { documentSha256: quote.documentSha256, askGuids: guids })
    const [first, second] = asked.asks.filter(({ kind }) => kind !== 'comment').map(({ guid }) => guid)
    expect(ok(await withdraw([first ?? ''])).quote.status).toBe('changes_requested')
    expect(ok(await withdraw([second ?? ''])).quote.status).toBe('sent')
    expect((await withdraw([second ?? ''])).status).toBe(409)
    ok(await accept())
  })

  test('of a line a second time takes the first back; what makes no sense is said where it stands', async () => {
    const quote = await aQuote()
    ok(await ask(quote, [{ kind: 'quantity', lineGuid: lineOf(quote, 0), quantity: '20' }]), 201)
    const again = ok(await ask(quote, [{ kind: 'drop', lineGuid: lineOf(quote, 0) }]), 201).quote
    expect(again.asks.map(({ kind, answer: given }) => [kind, given?.outcome])).toEqual([
      ['quantity', 'withdrawn'],
      ['drop', undefined],
    ])
    const wrong = await ask(quote, [
      { kind: 'quantity', lineGuid: lineOf(quote, 0), quantity: '12' },
      { kind: 'quantity', lineGuid: lineOf(quote, 1), quantity: '1' },
      { kind: 'drop', lineGuid: '0190a1de-0000-7000-8000-00000000dead' },
      { kind: 'comment', text: '' },
    ])
    expect(wrong.status).toBe(422)
    const others = await ask(quote, [
      { kind: 'quantity', lineGuid: lineOf(quote, 0), quantity: '12' },
      { kind: 'quantity', lineGuid: lineOf(quote, 1), quantity: '1' },
      { kind: 'drop', lineGuid: '0190a1de-0000-7000-8000-00000000dead' },
    ])
    expect(others.errors?.map(({ path }) => path)).toEqual(['asks.1.quantity', 'asks.2.lineGuid'])
  })

  test('of a quantity that is his to choose only goes along with something else that waits', async () => {
    const quote = await aQuote()
    const chosen = { kind: 'quantity', lineGuid: lineOf(quote, 0), quantity: '12' }
    const alone = await ask(quote, [chosen, { kind: 'comment', lineGuid: lineOf(quote, 1), text: 'Does it lock?' }])
    expect(alone.errors).toEqual([
      { path: 'asks.0.quantity', message: 'You can choose this quantity on the quote yourself.' },
    ])
    const both = ok(await ask(quote, [chosen, { kind: 'drop', lineGuid: lineOf(quote, 1) }]), 201).quote
    // 12 × 140.00 instead of 10 × 148.00, with GST.
    expect(both.asks.map(({ kind, effectCents }) => [kind, effectCents])).toEqual(
      expect.arrayContaining([
        ['quantity', 22_000],
        ['drop', -30_800],
      ]),
    )
  })

  test('is answered line by line, and goes out as a revision in one step', async () => {
    const quote = await aQuote()
    const asked = ok(
      await ask(quote, [
        { kind: 'quantity', lineGuid: lineOf(quote, 0), quantity: '20', text: 'Corner included' },
        { kind: 'drop', lineGuid: lineOf(quote, 1) },
      ]),
      201,
    ).quote.asks
    const [more, drop] = ['quantity', 'drop'].map((kind) => asked.find((one) => one.kind === kind)?.guid ?? '')
    const both = [
      { askGuid: more, outcome: 'countered', quantity: '18', unitPriceCents: 13_500 },
      { askGuid: drop, outcome: 'agreed', text: 'Gone' },
    ]
    const { version } = await staffs(quote.guid)
    const half = await app.call(people.office, 'POST', `/Quotes/Answer/${quote.guid}`, {
      version,
      answers: both.slice(1),
      then: 'send',
    })
    expect([half.status, half.message]).toEqual([409, 'Answer the other requests first.'])
    const { quote: old, revision } = ok(await answer(quote.guid, both, 'send'))
    expect([old.status, revision?.status, revision?.revision]).toEqual(['superseded', 'sent', 1])
    expect(revision?.lines.map((l) => [l.name, l.quantity, l.unitPriceCents, l.quantityMin])).toEqual([
      ['Hoarding type A', '18', 13_500, null],
      ['Banner', '1', 9_900, null],
    ])
    const seen = await page(quote)
    expect([seen.revision, seen.status, seen.totals.totalCents]).toEqual([1, 'sent', 267_300])
    expect(seen.asks.map(({ kind, answer: given }) => [kind, given?.outcome, given?.text])).toEqual(
      expect.arrayContaining([
        ['quantity', 'countered', null],
        ['drop', 'agreed', 'Gone'],
      ]),
    )
    expect(seen.asks.every(({ answer: given }) => !Object.hasOwn(given ?? {}, 'by'))).toBe(true)
    const { comparison } = ok(
      await app.call<{ comparison: Comparison }>(
        people.guest,
        'GET',
        `/Service/Quotes/Compare/${quote.serviceGuid}?from=0`,
      ),
    )
    expect(comparison.deltaCents).toBe(267_300 - 193_600)
    expect(comparison.lines.map((l) => [l.name, l.change, l.deltaCents])).toEqual([
      ['Hoarding type A', 'changed', 95_000],
      ['Banner', 'same', 0],
      ['Gate', 'removed', -28_000],
    ])
  })

  test('goes back to how it was sent when all is declined, and old answers come too late', async () => {
    const quote = await aQuote()
    const [one] = ok(await ask(quote, [{ kind: 'drop', lineGuid: lineOf(quote, 1) }]), 201).quote.asks
    const { version } = await staffs(quote.guid)
    const declined = await answer(quote.guid, [{ askGuid: one?.guid, outcome: 'declined', text: 'We need it.' }])
    expect(ok(declined).quote.status).toBe('sent')
    const late = await app.call(people.office, 'POST', `/Quotes/Answer/${quote.guid}`, {
      version,
      answers: [{ askGuid: one?.guid, outcome: 'agreed' }],
    })
    expect(late.status).toBe(409)
    const again = ok(await ask(quote, [{ kind: 'drop', lineGuid: lineOf(quote, 1) }]), 201).quote
    expect(again.status).toBe('changes_requested')
    const reply = await app.call<{ quote: Quote }>(people.office, 'POST', `/Quotes/Reply/${quote.guid}`, {
      version: (await staffs(quote.guid)).version,
      text: 'As it is, sorry.',
    })
    expect(ok(reply).quote.status).toBe('sent')
    expect((await page(quote)).asks.map(({ answer: given }) => given?.outcome)).toEqual(['declined', 'declined'])
  })

  test('at the moment a revision is sent comes too late for the old one, and is shown the new one', async () => {
    const quote = await aQuote()
    const { version } = await staffs(quote.guid)
    const revised = await app.call<{ quote: Quote }>(people.office, 'POST', `/Quotes/Revise/${quote.guid}`, { version })
    const { guid } = ok(revised, 201).quote
    const isLocked = Promise.withResolvers<void>()
    const isAsked = Promise.withResolvers<void>()
    const sending = inTransaction(systemRun(app.deps, 'test'), async (ctx) => {
      await lockVisibleQuote(ctx, guid)
      await ctx.db.selectFrom('quotes').select('guid').where('guid', '=', quote.guid).forUpdate().execute()
      isLocked.resolve()
      await isAsked.promise
      await sendQuote(ctx, { guid, version: 1 })
    })
    await isLocked.promise
    const asking = ask(quote, [{ kind: 'drop', lineGuid: lineOf(quote, 1) }])
    await expect.poll(waiting).toBe(1)
    isAsked.resolve()
    await sending
    const refused = await asking
    expect([refused.status, refused.error, refused.data.quote.revision]).toEqual([409, 'STALE_VERSION', 1])
  })

  test('at the moment the link is replaced comes too late for the old one', async () => {
    const quote = await aQuote()
    const { version } = await staffs(quote.guid)
    const isLocked = Promise.withResolvers<void>()
    const isAsked = Promise.withResolvers<void>()
    const replacing = inTransaction(systemRun(app.deps, 'test'), async (ctx) => {
      await lockVisibleQuote(ctx, quote.guid)
      isLocked.resolve()
      await isAsked.promise
      await reissueQuoteLink(ctx, { guid: quote.guid, version })
    })
    await isLocked.promise
    const asking = ask(quote, [{ kind: 'drop', lineGuid: lineOf(quote, 1) }])
    await expect.poll(waiting).toBe(1)
    isAsked.resolve()
    await replacing
    expect((await asking).status).toBe(404)
    expect((await staffs(quote.guid)).asks).toEqual([])
  })

  test('that is countered offers something', async () => {
    const quote = await aQuote()
    const [one] = ok(await ask(quote, [{ kind: 'drop', lineGuid: lineOf(quote, 1) }]), 201).quote.asks
    const refused = await app.call(people.office, 'POST', `/Quotes/Answer/${quote.guid}`, {
      version: (await staffs(quote.guid)).version,
      answers: [{ askGuid: one?.guid, outcome: 'countered' }],
    })
    expect(refused.errors).toEqual([{ path: 'answers.0.quantity', message: 'Enter another quantity or price.' }])
  })
})

describe('the evidence', () => {
  const evidenceOf = async (guid: string) => {
    const file = await app.call(people.office, 'GET', `/Quotes/Evidence/${guid}`)
    expect(file.status).toBe(200)
    return JSON.parse(file.body) as Evidence
  }

  test('holds what each side saw, proves itself, and ends with the hash of the acceptance', async () => {
    const quote = await aQuote()
    await app.call(people.guest, 'POST', `/Service/Viewed/${quote.serviceGuid}`)
    await app.call(people.guest, 'POST', `/Service/Viewed/${quote.serviceGuid}`)
    const [one] = ok(await ask(quote, [{ kind: 'drop', lineGuid: lineOf(quote, 1) }]), 201).quote.asks
    const { revision } = ok(await answer(quote.guid, [{ askGuid: one?.guid, outcome: 'agreed' }], 'send'))
    const now = await page(quote)
    ok(
      await guest(quote, 'Accept', {
        documentSha256: now.documentSha256,
        name: 'Anna',
        selectedLineGuids: now.lines.filter((l) => l.isOptional).map((l) => l.guid),
      }),
    )
    const signed = await staffs(revision?.guid ?? '')
    const { items } = ok(await app.call<{ items: Frame[] }>(people.office, 'GET', `/Quotes/Frames/${revision?.guid}`))
    expect(items.map(({ reason, revision: n }) => [reason, n])).toEqual([
      ['sent', 0],
      ['viewed', 0],
      ['asked', 0],
      ['answered', 0],
      ['sent', 1],
      ['accepted', 1],
    ])
    const accepted = ok(
      await app.call<{ frame: { content: { page: ServiceQuote; choice: object; totals: { totalCents: number } } } }>(
        people.office,
        'GET',
        `/Quotes/Frame/${revision?.guid}?frame=${items.at(-1)?.guid}`,
      ),
    ).frame.content
    expect([accepted.page.status, accepted.totals.totalCents]).toEqual(['sent', signed.totals.totalCents])
    const file = await evidenceOf(revision?.guid ?? '')
    const hash = (text: string) => Promise.resolve(sha256(text))
    const proof = await verifyEvidence(file, hash)
    expect(proof).toEqual({ problem: null, position: null, lastSha256: signed.acceptance?.evidenceSha256 })
    // Whoever has the letter or the paper can prove the file.
    const letter = await app.deps.db
      .selectFrom('messages')
      .select('facts')
      .where('template', '=', 'quote_accepted')
      .where('ownerGuid', '=', revision?.guid ?? '')
      .executeTakeFirstOrThrow()
    expect(letter.facts?.values['evidence']).toContain(proof.lastSha256)
    const paper = await documentData(app.deps.db, 'quote', revision?.guid ?? '')
    expect(paper.state.accepted?.evidenceSha256).toBe(proof.lastSha256)
    const changed = structuredClone(file)
    const event = changed.events[2]
    if (event) event.event = event.event.replace('Anna', 'Bnna').replace('"drop"', '"comment"')
    expect((await verifyEvidence(changed, hash)).problem).toBe('event')
    const [frame = ''] = Object.keys(file.frames)
    const retouched = { ...file, frames: { ...file.frames, [frame]: `${file.frames[frame]} ` } }
    expect((await verifyEvidence(retouched, hash)).problem).toBe('frame')
    const { [signed.acceptance?.documentSha256 ?? '']: _document, ...documents } = file.documents
    expect((await verifyEvidence({ ...file, documents }, hash)).problem).toBe('missing')
  })

  test('is only ever added to', async () => {
    const { db } = app.deps
    for (const table of ['quoteFrames', 'frameContents', 'quoteAsks', 'quoteAnswers'] as const)
      await expect(db.deleteFrom(table).execute()).rejects.toThrow('never changed')
  })
})

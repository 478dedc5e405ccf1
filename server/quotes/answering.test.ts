// oxlint-disable unicorn/no-thenable -- the specification names it; it is a word, never a function
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nextQuoteDeed } from '../../contract/quote-actions.ts'
import type { Quote, quotesApi } from '../../contract/quotes.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import type { z } from 'zod'
import type { Actors } from '../../test/support/actors.ts'
import { aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

type Listed = z.infer<typeof quotesApi.list.response>

let app: Running
let people: Actors
let customerGuid: string
beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness())
}, 60_000)
afterAll(() => app.stop())

const aQuote = () =>
  aSentQuote(app, people.office, customerGuid, {
    lines: [
      { name: 'Hoarding type A', quantity: '10', unit: 'm', unitPriceCents: 14_800 },
      { name: 'Gate', quantity: '1', unitPriceCents: 28_000 },
    ],
  })
type Sent = Awaited<ReturnType<typeof aQuote>>
const lineOf = (quote: Sent, index: number) => quote.lines[index]?.guid ?? ''
const ask = async (quote: Sent, asks: object[]) =>
  ok(
    await app.call<{ quote: ServiceQuote }>(people.guest, 'POST', `/Service/Quotes/Asks/${quote.serviceGuid}`, {
      documentSha256: quote.documentSha256,
      asks,
    }),
    201,
  ).quote.asks
const quoteOf = async (guid: string) =>
  ok(await app.call<{ quote: Quote }>(people.office, 'GET', `/Quotes/${guid}`)).quote
const answer = async (guid: string, answers: object[], then = 'nothing') =>
  app.call<{ quote: Quote; revision: Quote | null }>(people.office, 'POST', `/Quotes/Answer/${guid}`, {
    version: (await quoteOf(guid)).version,
    answers,
    then,
  })
const preview = (guid: string, answers: object[], as = people.office) =>
  app.call<{ totalCents: number; effects: { askGuid: string; effectCents: number }[] }>(
    as,
    'POST',
    `/Quotes/Answer/Preview/${guid}`,
    { answers },
  )
const list = async (query: string) =>
  ok(await app.call<Listed>(people.office, 'GET', `/Quotes?size=100&${query}`)).items
const mailsOf = (guid: string) =>
  app.deps.db
    .selectFrom('messages')
    .select(['template', 'subject', 'recipients', 'attachments'])
    .where('ownerGuid', '=', guid)
    .where('template', '<>', 'quote')
    .execute()
const both = (quote: Sent) => [
  { kind: 'quantity', lineGuid: lineOf(quote, 0), quantity: '20' },
  { kind: 'drop', lineGuid: lineOf(quote, 1) },
]

test('of an answer and a revision at the same moment one wins, so that no draft lacks what was offered', async () => {
  const quote = await aQuote()
  const [first] = await ask(quote, both(quote))
  const { version } = await quoteOf(quote.guid)
  const answers = [{ askGuid: first?.guid, outcome: 'declined', text: 'Not in this street.' }]
  const outcomes = await Promise.all([
    app.call(people.office, 'POST', `/Quotes/Answer/${quote.guid}`, { version, answers, then: 'nothing' }),
    app.call(people.office, 'POST', `/Quotes/Revise/${quote.guid}`, { version }),
  ])
  expect(outcomes.filter(({ status }) => status < 300)).toHaveLength(1)
  expect(outcomes.filter(({ status }) => status === 409)).toHaveLength(1)
})

describe('answers, before they are given', () => {
  test('are priced as the revision will be, each alone and all together, and nothing is kept', async () => {
    const quote = await aQuote()
    const asks = await ask(quote, both(quote))
    const [more, drop] = ['quantity', 'drop'].map((kind) => asks.find((one) => one.kind === kind)?.guid ?? '')
    const answers = [
      { askGuid: more, outcome: 'countered', quantity: '18', unitPriceCents: 13_500 },
      { askGuid: drop, outcome: 'agreed' },
    ]
    const priced = ok(await preview(quote.guid, answers))
    // 18 × 135.00 instead of 10 × 148.00, and without the gate's 280.00; GST on top.
    expect(priced).toEqual({
      totalCents: 267_300,
      effects: [
        { askGuid: more, effectCents: 104_500 },
        { askGuid: drop, effectCents: -30_800 },
      ],
    })
    const declined = ok(await preview(quote.guid, [{ askGuid: more, outcome: 'declined' }]))
    expect([declined.totalCents, declined.effects[0]?.effectCents]).toEqual([quote.totals.totalCents, 0])
    const open = await quoteOf(quote.guid)
    expect(open.asks.map((one) => one.answer)).toEqual([null, null])
    const { revision } = ok(await answer(quote.guid, answers, 'send'))
    expect(revision?.totals.totalCents).toBe(priced.totalCents)
  })

  test('are for whoever may edit quotes', async () => {
    const quote = await aQuote()
    expect((await preview(quote.guid, [], people.readOnly)).status).toBe(403)
  })
})

describe('a quote that is answered in pieces', () => {
  test('goes out with what was agreed when all is answered; without any answer nothing is saved', async () => {
    const quote = await aQuote()
    const asks = await ask(quote, both(quote))
    const nothing = await answer(quote.guid, [])
    expect([nothing.status, nothing.errors]).toEqual([
      422,
      [{ path: 'answers', message: 'Answer at least one request.' }],
    ])
    const early = await answer(quote.guid, [], 'send')
    expect([early.status, early.message]).toEqual([409, 'Answer the other requests first.'])
    for (const { guid, kind } of asks)
      ok(await answer(quote.guid, [{ askGuid: guid, outcome: kind === 'drop' ? 'agreed' : 'declined' }]))
    const agreed = await quoteOf(quote.guid)
    expect([agreed.status, nextQuoteDeed(agreed)]).toEqual(['changes_requested', 'sendRevision'])
    const { revision } = ok(await answer(quote.guid, [], 'send'))
    expect([revision?.status, revision?.lines.length]).toEqual(['sent', 1])
  })

  test('says by itself what is done next', async () => {
    const quote = await aQuote()
    const next = async () => nextQuoteDeed(await quoteOf(quote.guid))
    expect(await next()).toBe('accept')
    const [one] = await ask(quote, [{ kind: 'comment', text: 'When?' }])
    expect(await next()).toBe('answer')
    ok(await answer(quote.guid, [{ askGuid: one?.guid, outcome: 'agreed', text: 'On Monday.' }]))
    expect(await next()).toBe('accept')
    await app.call(people.office, 'POST', `/Quotes/Decline/${quote.guid}`, {
      version: (await quoteOf(quote.guid)).version,
      reasonCode: 'timing',
    })
    expect(await next()).toBe('revise')
  })
})

describe('the customer', () => {
  test('gets one email that there are answers, and none of it with a revision', async () => {
    const quote = await aQuote()
    const asks = await ask(quote, both(quote))
    ok(await answer(quote.guid, [{ askGuid: asks[0]?.guid, outcome: 'declined', text: 'No.' }]))
    const [mail, ...more] = await mailsOf(quote.guid)
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      template: 'quote_answered',
      subject: `We've replied about quote ${quote.number}`,
      attachments: [],
    })
    ok(await answer(quote.guid, [{ askGuid: asks[1]?.guid, outcome: 'countered', unitPriceCents: 1 }], 'send'))
    expect(await mailsOf(quote.guid)).toHaveLength(1)
  })

  test('gets it with a reply to all, too', async () => {
    const quote = await aQuote()
    await ask(quote, both(quote))
    ok(
      await app.call(people.office, 'POST', `/Quotes/Reply/${quote.guid}`, {
        version: (await quoteOf(quote.guid)).version,
        text: 'As it is, sorry.',
      }),
    )
    expect((await mailsOf(quote.guid)).map(({ template }) => template)).toEqual(['quote_answered'])
  })
})

describe('the list', () => {
  test('finds what waits for an answer, whose it is, and why it was lost', async () => {
    const [asked, answered, lost] = [await aQuote(), await aQuote(), await aQuote()]
    await ask(asked, both(asked))
    const [one] = await ask(answered, [{ kind: 'drop', lineGuid: lineOf(answered, 1) }])
    ok(await answer(answered.guid, [{ askGuid: one?.guid, outcome: 'declined' }]))
    await ask(lost, both(lost))
    ok(
      await app.call(people.office, 'POST', `/Quotes/Decline/${lost.guid}`, {
        version: (await quoteOf(lost.guid)).version,
        reasonCode: 'competitor',
      }),
    )
    const own = [asked.guid, answered.guid, lost.guid]
    const found = async (query: string) =>
      (await list(query)).filter(({ guid }) => own.includes(guid)).map(({ guid }) => guid)
    expect(await found('requests=open')).toEqual([asked.guid])
    expect(await found('lostReason=competitor,price')).toEqual([lost.guid])
    expect(await found('lostReason=scope')).toEqual([])
    const { ownerGuid } = await app.deps.db
      .selectFrom('quotes')
      .select('ownerGuid')
      .where('guid', '=', asked.guid)
      .executeTakeFirstOrThrow()
    expect(await found(`ownerGuid=${ownerGuid}`)).toHaveLength(3)
    expect(await found('ownerGuid=0190a1de-0000-7000-8000-00000000dead')).toEqual([])
    const shown = await list('')
    const row = (guid: string) => shown.find((item) => item.guid === guid)
    expect([row(asked.guid)?.openAsks, row(answered.guid)?.openAsks, row(lost.guid)?.openAsks]).toEqual([2, 0, 0])
    expect([row(lost.guid)?.lostReason, row(asked.guid)?.lostReason]).toEqual(['competitor', null])
    expect(row(asked.guid)?.ownerName).toBeTruthy()
  })
})

describe('what was agreed', () => {
  const agree = (asks: { guid: string }[]) => asks.map(({ guid }) => ({ askGuid: guid, outcome: 'agreed' }))

  test('is the last word on a line, and a revision that is made by itself has it, too', async () => {
    const quote = await aQuote()
    const [first] = await ask(quote, [{ kind: 'drop', lineGuid: lineOf(quote, 1) }])
    ok(await answer(quote.guid, [{ askGuid: first?.guid, outcome: 'agreed' }]))
    const again = await ask(quote, [{ kind: 'quantity', lineGuid: lineOf(quote, 1), quantity: '3' }])
    ok(await answer(quote.guid, agree(again.filter(({ kind }) => kind === 'quantity'))))
    const { version } = await quoteOf(quote.guid)
    const revised = await app.call<{ quote: Quote }>(people.office, 'POST', `/Quotes/Revise/${quote.guid}`, { version })
    expect(ok(revised, 201).quote.lines.map(({ name, quantity }) => [name, quantity])).toEqual([
      ['Hoarding type A', '10'],
      ['Gate', '3'],
    ])
    // 10 × 148.00 and 3 × 280.00, GST on top.
    expect(revised.data.quote.totals.totalCents).toBe(255_200)
  })

  test('leaves one of some alternatives proposed, and its price is in what the request changes', async () => {
    const quote = await aSentQuote(app, people.office, customerGuid, {
      lines: [
        { name: 'White', unitPriceCents: 10_000, alternativeGroup: 'Colour', isSelected: true },
        { name: 'Gold', unitPriceCents: 30_000, alternativeGroup: 'Colour' },
      ],
    })
    const asks = await ask(quote, [{ kind: 'drop', lineGuid: lineOf(quote, 0) }])
    expect(asks[0]?.effectCents).toBe(22_000)
    const { revision } = ok(await answer(quote.guid, agree(asks), 'send'))
    expect(revision?.lines.map(({ name, isSelected }) => [name, isSelected])).toEqual([['Gold', true]])
    expect(revision?.totals.totalCents).toBe(33_000)
  })

  test('has room in a document, on both sides, and nine digits where nothing is charged', async () => {
    const quote = await aSentQuote(app, people.office, customerGuid, {
      lines: [
        { name: 'Hoarding type A', unitPriceCents: 14_800 },
        { name: 'Delivery', unitPriceCents: 0 },
      ],
    })
    const much = (index: number) => ({ kind: 'quantity', lineGuid: lineOf(quote, index), quantity: '999999999' })
    const refused = await app.call(people.guest, 'POST', `/Service/Quotes/Asks/${quote.serviceGuid}`, {
      documentSha256: quote.documentSha256,
      asks: [much(0)],
    })
    expect([refused.status, refused.errors]).toEqual([
      422,
      [{ path: 'asks.0.quantity', message: 'Enter a smaller quantity.' }],
    ])
    const [free] = await ask(quote, [much(1)])
    expect(free?.quantity).toBe('999999999')
    const countered = { askGuid: free?.guid, outcome: 'countered', unitPriceCents: 100_000 }
    const dear = await answer(quote.guid, [{ ...countered, quantity: '999999998' }])
    expect([dear.status, dear.errors]).toEqual([
      422,
      [{ path: 'answers.0.quantity', message: 'Enter a smaller quantity or price.' }],
    ])
    ok(await answer(quote.guid, [{ askGuid: free?.guid, outcome: 'countered', quantity: '999999998' }]))
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAbility, conditionsFor } from '../../contract/core/ability.ts'
import type { Message } from '../../contract/messages.ts'
import { type Actor, type Actors, aPerson, aPersonWho, aRole, type RuleFacts } from '../support/actors.ts'
import { aCustomer, aLine, aQuote, aSentQuote, ok, startStaffed } from '../support/factories.ts'
import type { Answer, Running } from '../support/start.ts'

let app: Running
let actors: Actors
beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
})
afterAll(() => app.stop())

const pathsOf = (answer: Answer) => [answer.status, ...answer.errors.map((e) => e.path)]

describe('a message about a document', () => {
  let message: Message
  let reader: Actor
  beforeAll(async () => {
    const customer = await aCustomer(app, actors.office)
    const { invoice } = ok(
      await app.call<{ invoice: { guid: string } }>(actors.office, 'POST', '/Invoices', {
        customerGuid: customer.guid,
        title: 'Fence',
        lines: [aLine()],
      }),
      201,
    )
    ok(await app.call(actors.office, 'POST', `/Invoices/Issue/${invoice.guid}`, { version: 1 }))
    ok(await app.call(actors.office, 'POST', `/Invoices/Send/${invoice.guid}`, { version: 2 }))
    const { guid } = await app.deps.db
      .selectFrom('messages')
      .select('guid')
      .where('ownerGuid', '=', invoice.guid)
      .executeTakeFirstOrThrow()
    message = ok(await app.call<{ message: Message }>(actors.office, 'GET', `/Messages/${guid}`)).message
    reader = await aPersonWho(app, 'letters', [
      { subject: 'Messages', action: 'manage' },
      { subject: 'Quotes', action: 'read' },
    ])
  })

  it('gives its words, link and attachments to those alone who may read the document', async () => {
    expect([message.isBodyHidden, message.bodyText?.includes('/service/i/'), message.attachments.length]).toEqual([
      false,
      true,
      1,
    ])
    for (const who of [reader, actors.sales]) {
      const answer = await app.call<{ message: Message }>(who, 'GET', `/Messages/${message.guid}`)
      expect(ok(answer).message).toMatchObject({
        isBodyHidden: true,
        bodyHtml: null,
        bodyText: null,
        attachments: [],
        subject: message.subject,
      })
      expect(answer.body).not.toContain('/service/')
    }
  })
  it('cannot be sent on to oneself instead', async () => {
    await app.deps.db.updateTable('messages').set({ status: 'sent' }).where('guid', '=', message.guid).execute()
    expect(
      (await app.call(reader, 'POST', `/Messages/Resend/${message.guid}`, { to: ['me@elsewhere.example'] })).status,
    ).toBe(403)
    ok(await app.call(actors.office, 'POST', `/Messages/Resend/${message.guid}`, {}), 201)
  })
  it('is judged by where its links lead, too', async () => {
    const { serviceGuid } = await app.deps.db
      .selectFrom('serviceLinks')
      .select('guid as serviceGuid')
      .where('kind', '=', 'invoice')
      .executeTakeFirstOrThrow()
    const quote = await aSentQuote(app, actors.office, (await aCustomer(app, actors.office)).guid)
    const about = await app.deps.db
      .updateTable('messages')
      .set({
        bodyText: `See ${app.deps.settings.publicUrl}/service-i-${serviceGuid}`,
        bodyHtml: '<p>See</p>',
        facts: null,
      })
      .where('ownerGuid', '=', quote.guid)
      .returning('guid')
      .executeTakeFirstOrThrow()
    expect(
      ok(await app.call<{ message: Message }>(reader, 'GET', `/Messages/${about.guid}`)).message.isBodyHidden,
    ).toBe(true)
    expect(
      ok(await app.call<{ message: Message }>(actors.office, 'GET', `/Messages/${about.guid}`)).message.isBodyHidden,
    ).toBe(false)
  })
})

describe('what a document refers to', () => {
  it('is what its maker may see: customers and products outside are not there', async () => {
    const maker = await aPersonWho(
      app,
      'maker',
      ['Customers', 'Products', 'Quotes', 'Orders', 'Invoices'].map((subject): RuleFacts => ({
        subject,
        action: 'manage',
        ...(/Customers|Products/.test(subject) ? { conditions: { scope: 'own' } } : {}),
      })),
    )
    const [own, other] = [await aCustomer(app, maker), await aCustomer(app, actors.office)]
    const { product } = ok(
      await app.call<{ product: { guid: string } }>(actors.office, 'POST', '/Products', {
        name: 'Panel',
        kind: 'goods',
        priceCents: 1000,
      }),
      201,
    )
    for (const noun of ['Quotes', 'Orders', 'Invoices']) {
      const make = (customerGuid: string, line: Record<string, unknown> = {}) =>
        app.call(maker, 'POST', `/${noun}`, { customerGuid, title: 'Fence', lines: [aLine(line)] })
      expect(pathsOf(await make(other.guid))).toEqual([422, 'customerGuid'])
      expect(pathsOf(await make(own.guid, { productGuid: product.guid }))).toEqual([422, 'lines.0.productGuid'])
      expect((await make(own.guid)).status).toBe(201)
    }
    const clerk = await aPersonWho(app, 'clerk', [
      { subject: 'Payments', action: 'create' },
      { subject: 'Customers', action: 'read', conditions: { scope: 'own' } },
      { subject: 'Invoices', action: 'read', conditions: { scope: 'own' } },
    ])
    const { invoice } = ok(
      await app.call<{ invoice: { guid: string } }>(actors.office, 'POST', '/Invoices', {
        customerGuid: other.guid,
        title: 'Fence',
        lines: [aLine()],
      }),
      201,
    )
    ok(await app.call(actors.office, 'POST', `/Invoices/Issue/${invoice.guid}`, { version: 1 }))
    const pay = (facts: object) =>
      app.call(
        clerk,
        'POST',
        '/Payments',
        { method: 'cash', receivedOn: '2026-11-01', amountCents: 100, ...facts },
        { 'idempotency-key': crypto.randomUUID() },
      )
    expect(pathsOf(await pay({ allocations: [{ invoiceGuid: invoice.guid, cents: 100 }] }))).toEqual([
      422,
      'allocations.0.invoiceGuid',
    ])
    expect(pathsOf(await pay({ customerGuid: other.guid, allocations: [] }))).toEqual([422, 'customerGuid'])

    const mine = await aQuote(app, maker, own.guid)
    expect(
      pathsOf(await app.call(maker, 'PATCH', `/Quotes/${mine.guid}`, { version: 1, customerGuid: other.guid })),
    ).toEqual([422, 'customerGuid'])
    const theirs = await aSentQuote(app, actors.office, other.guid)
    expect(pathsOf(await app.call(maker, 'POST', `/Quotes/Duplicate/${theirs.guid}`, {}))).toEqual([
      422,
      'customerGuid',
    ])
  })
})

it('cost prices stay with those who set prices and keep the books', async () => {
  const { product } = ok(
    await app.call<{ product: { guid: string } }>(actors.office, 'POST', '/Products', {
      name: 'Gate',
      kind: 'goods',
      priceCents: 9000,
      costCents: 4321,
    }),
    201,
  )
  const seen = async (who: Actor) =>
    ok(await app.call<{ product: { costCents: number | null } }>(who, 'GET', `/Products/${product.guid}`)).product
      .costCents
  expect([await seen(actors.sales), await seen(actors.field), await seen(actors.readOnly)]).toEqual([null, null, null])
  expect([await seen(actors.office), await seen(actors.accountant), await seen(actors.administrator)]).toEqual([
    4321, 4321, 4321,
  ])
})

it('an explicit deny holds beside manage on all, whichever is stronger', async () => {
  for (const [i, priority] of [-5, 0, 5].entries()) {
    const role = await aRole(app, `Boss at ${priority}`, [
      { subject: 'all', action: 'manage', priority },
      { subject: 'Customers:Preview:All', action: 'read', inverted: true },
    ])
    const boss = await aPerson(app, `boss${i}`, role)
    expect((await app.call(boss, 'GET', '/Customers')).status).toBe(403)
    expect((await app.call(boss, 'GET', '/Products')).status).toBe(200)
  }
})

it('a subject with blanks is another subject, so it is refused', async () => {
  for (const subject of [' Orders', 'Orders ', 'Orders: Preview', 'Orders\t', '\u00a0Orders'])
    expect(
      pathsOf(
        await app.call(actors.administrator, 'POST', '/Roles', {
          name: 'Blank',
          permissions: [{ subject, action: 'read' }],
        }),
      ),
    ).toEqual([422, 'permissions.0.subject'])
})

describe('five hundred rules that allow and deny in turn', () => {
  /** Bands of a dollar below $1,000, by turns open and closed: the strongest rule has the smallest amount. */
  const rules = (count: number): RuleFacts[] =>
    Array.from({ length: count }, (_, i) => ({
      subject: 'Quotes',
      action: 'read',
      priority: i,
      inverted: i % 2 === 1,
      conditions: { amountBelowCents: 100_000 - 100 * i },
    }))
  const isOpen = (totalCents: number) => totalCents < 100_000 && (Math.ceil((100_000 - totalCents) / 100) - 1) % 2 === 0
  const sizeOf = (count: number) => {
    const complete = rules(count).map(({ conditions, ...rule }) => ({
      enabled: true,
      priority: 0,
      inverted: false,
      apiGuidRequired: false,
      authorizationHeaderRequired: false,
      ...rule,
      conditions: conditions ?? null,
    }))
    return JSON.stringify(
      conditionsFor(buildAbility(complete), 'read', 'Quotes:Preview:All', { isUser: true, isGuest: false }),
    ).length
  }
  it('make a row filter that grows with them, not with their square', () =>
    expect(sizeOf(500) / sizeOf(250)).toBeLessThan(2.2))
  it('decide every record as they are written, in the list and one by one', async () => {
    const customer = await aCustomer(app, actors.office)
    for (const unitPriceCents of [50_050, 55_005, 60_000, 70_010, 80_090, 90_000, 120_000])
      await aQuote(app, actors.office, customer.guid, {
        title: 'Ladder',
        lines: [aLine({ quantity: '1', unitPriceCents })],
      })
    const person = await aPerson(app, 'ladder', await aRole(app, 'Ladder', rules(500)))
    const { items } = ok(await app.call<{ items: { guid: string }[] }>(person, 'GET', '/Quotes?size=100'))
    const all = await app.deps.db
      .selectFrom('quotes')
      .select(['guid', 'totalCents'])
      .where('title', '=', 'Ladder')
      .execute()
    const open = all.filter(({ totalCents }) => isOpen(totalCents))
    expect([open.length > 0, open.length < all.length]).toEqual([true, true])
    expect(
      items
        .map(({ guid }) => guid)
        .filter((guid) => all.some((quote) => quote.guid === guid))
        .toSorted(),
    ).toEqual(open.map(({ guid }) => guid).toSorted())
    for (const { guid, totalCents } of all)
      expect((await app.call(person, 'GET', `/Quotes/${guid}`)).status).toBe(isOpen(totalCents) ? 200 : 404)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Invoice } from '../../contract/invoices.ts'
import { inTransaction, systemRun } from '../core/run.ts'
import { type Actors, aPersonWho, logIn, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aLine, aSecondApp, ok } from '../../test/support/factories.ts'
import { type Caller, keyed, type Running, startApp } from '../../test/support/start.ts'
import { createAdjustmentNote } from './invoices.service.ts'

let app: Running
let actors: Actors
let office: Caller
let customerGuid: string
let businessGuid: string
let clock = new Date('2026-07-01T14:30:00Z')

beforeAll(async () => {
  app = await startApp({ now: () => clock })
  actors = await seedActors(app)
  office = actors.office
  businessGuid = (await aBusiness(app)).guid
  customerGuid = (await aCustomer(app, office)).guid
})
afterAll(() => app.stop())

type One = { invoice: Invoice }
const aDraft = async (facts: Record<string, unknown> = {}) =>
  ok(
    await app.call<One>(office, 'POST', '/Invoices', { customerGuid, title: 'Fence hire', lines: [aLine()], ...facts }),
    201,
  ).invoice
const read = async (guid: string) => ok(await app.call<One>(office, 'GET', `/Invoices/${guid}`)).invoice
const issueIt = (invoice: { guid: string; version: number }) =>
  app.call<One>(office, 'POST', `/Invoices/Issue/${invoice.guid}`, { version: invoice.version })
const anIssued = async (facts: Record<string, unknown> = {}) => ok(await issueIt(await aDraft(facts))).invoice
const pay = (invoiceGuid: string, amountCents: number) =>
  app.call(
    office,
    'POST',
    '/Payments',
    { method: 'cash', receivedOn: '2026-07-01', amountCents, allocations: [{ invoiceGuid, cents: amountCents }] },
    keyed(),
  )
const entryOf = async (source: 'invoice' | 'void' | 'adjustment_note', sourceGuid: string) => {
  const rows = await app.deps.db
    .selectFrom('journalEntries as e')
    .innerJoin('journalLines as l', 'l.entryGuid', 'e.guid')
    .select(['l.account', 'l.debitCents', 'l.creditCents'])
    .where('e.source', '=', source)
    .where('e.sourceGuid', '=', sourceGuid)
    .orderBy('l.position')
    .execute()
  return rows.map((r) => [r.account, r.debitCents - r.creditCents])
}

describe('a draft invoice', () => {
  it('is priced by the server, on the terms of customer and business', async () => {
    const net30 = await aCustomer(app, office, { displayName: 'Slow Payers', paymentTermsDays: 30 })
    const invoice = await aDraft({ customerGuid: net30.guid, discount: { type: 'percent', value: 1000 } })
    expect(invoice).toMatchObject({
      status: 'draft',
      displayStatus: 'draft',
      number: null,
      termsDays: 30,
      kind: 'standard',
      serviceGuid: null,
      totals: { subtotalCents: 25_000, discountCents: 2500, gstCents: 2250, totalCents: 24_750 },
    })
    expect((await aDraft({ termsDays: 7 })).termsDays).toBe(7)
  })

  it('says what is missing for a tax invoice, while it is written', async () => {
    const empty = await aDraft({ lines: [{ kind: 'text', name: 'Only words' }] })
    expect(empty.problems).toEqual([{ code: 'NO_LINES', message: 'Add at least one line with a price.', blocks: true }])
    const refused = await issueIt(empty)
    expect([refused.status, refused.message, refused.errors]).toEqual([
      422,
      'Add at least one line with a price.',
      [{ path: 'lines', message: 'Add at least one line with a price.' }],
    ])
    await app.deps.db.updateTable('businesses').set({ abn: null }).where('guid', '=', businessGuid).execute()
    const draft = await aDraft()
    expect(draft.problems.map((p) => [p.code, p.blocks])).toEqual([['SUPPLIER_ABN_MISSING', true]])
    expect((await issueIt(draft)).errors).toEqual([
      { path: 'business.abn', message: 'A tax invoice must show your ABN. Add it in the business settings.' },
    ])
    await app.deps.db.updateTable('businesses').set({ abn: '53004085616' }).where('guid', '=', businessGuid).execute()
    expect((await read(draft.guid)).problems).toEqual([])
  })

  it('is changed, and no longer once it is issued', async () => {
    const draft = await aDraft()
    const { invoice } = ok(
      await app.call<One>(office, 'PATCH', `/Invoices/${draft.guid}`, {
        version: draft.version,
        reference: 'PO 5',
        priceMode: 'inclusive',
        lines: [{ ...aLine({ quantity: '1' }), guid: draft.lines[0]?.guid }, aLine({ name: 'Second' })],
      }),
    )
    expect(invoice).toMatchObject({ reference: 'PO 5', totals: { totalCents: 37_500, gstCents: 3409 }, version: 2 })
    const stale = await app.call(office, 'PATCH', `/Invoices/${draft.guid}`, { version: 1, title: 'x' })
    expect([stale.status, stale.error]).toEqual([409, 'STALE_VERSION'])
    const issued = ok(await issueIt(invoice)).invoice
    const late = await app.call(office, 'PATCH', `/Invoices/${draft.guid}`, { version: issued.version, title: 'x' })
    expect([late.status, late.message]).toEqual([409, `Invoice ${issued.number} is issued and can’t be changed.`])
  })

  it('refuses a customer, site or product of somebody else', async () => {
    const { status, errors } = await app.call(office, 'POST', '/Invoices', {
      customerGuid,
      siteGuid: businessGuid,
      title: 'x',
      lines: [],
    })
    expect([status, errors]).toEqual([422, [{ path: 'siteGuid', message: 'Choose one of this customer’s sites.' }]])
    expect(
      (await app.call(office, 'POST', '/Invoices', { customerGuid: businessGuid, title: 'x', lines: [] })).errors[0]
        ?.path,
    ).toBe('customerGuid')
    expect(
      (
        await app.call(office, 'POST', '/Invoices', {
          customerGuid,
          title: 'x',
          lines: [aLine({ productGuid: businessGuid })],
        })
      ).errors[0]?.path,
    ).toBe('lines.0.productGuid')
  })

  it('is archived and restored', async () => {
    const draft = await aDraft()
    expect(ok(await app.call<One>(office, 'DELETE', `/Invoices/${draft.guid}`)).invoice.archivedAt).not.toBeNull()
    expect((await issueIt({ guid: draft.guid, version: 2 })).message).toBe('This draft is archived. Restore it first.')
    expect(ok(await app.call<One>(office, 'POST', `/Invoices/Restore/${draft.guid}`)).invoice.archivedAt).toBeNull()
    const issued = await anIssued()
    expect((await app.call(office, 'DELETE', `/Invoices/${issued.guid}`)).message).toBe(
      'Only drafts can be archived. Void an issued invoice instead.',
    )
  })
})

describe('issuing', () => {
  it('gives number, days, link, snapshot and the journal entry', async () => {
    const invoice = await anIssued()
    expect(invoice).toMatchObject({
      status: 'issued',
      displayStatus: 'sent',
      issueOn: '2026-07-02',
      dueOn: '2026-07-16',
      isTaxInvoice: true,
      balanceCents: 27_500,
      paymentStatus: 'unpaid',
    })
    expect(invoice.supplier).toMatchObject({ name: 'Brolga Fencing Pty Ltd', abn: '53004085616' })
    expect(invoice.billTo).toMatchObject({ name: 'Hartmann Builders' })
    expect(invoice.serviceUrl).toContain('/service/i/')
    expect(await entryOf('invoice', invoice.guid)).toEqual([
      ['1100', 27_500],
      ['4000', -25_000],
      ['2100', -2500],
    ])
    const row = await app.deps.db
      .selectFrom('invoices')
      .select(['snapshot', 'snapshotSha256'])
      .where('guid', '=', invoice.guid)
      .executeTakeFirstOrThrow()
    expect(row.snapshot).toMatchObject({
      number: invoice.number,
      issueOn: '2026-07-02',
      dueOn: '2026-07-16',
      isTaxInvoice: true,
    })
    expect(row.snapshotSha256).toMatch(/^[0-9a-f]{64}$/)
  })

  it('is done once, however often it is clicked', async () => {
    const draft = await aDraft()
    const answers = await Promise.all(Array.from({ length: 8 }, () => issueIt(draft)))
    expect(answers.map((a) => a.status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
    expect(await entryOf('invoice', draft.guid)).toHaveLength(3)
  })

  it('leaves no gap between numbers when two processes issue at once, and some are refused', async () => {
    const many = process.env.PROVE ? 500 : 120
    const second = await aSecondApp(app)
    const administrator = actors.administrator
    try {
      const drafts: { guid: string; version: number }[] = []
      for (let i = 0; i < many; i++)
        drafts.push(await aDraft({ lines: [i % 10 === 9 ? { kind: 'text', name: 'No price' } : aLine()] }))
      const before = await app.deps.db
        .selectFrom('numberCounters')
        .select('next')
        .where('kind', '=', 'invoice')
        .executeTakeFirstOrThrow()
      const queue = [...drafts.entries()]
      const work = async () => {
        for (let next = queue.shift(); next; next = queue.shift()) {
          const [i, draft] = next
          const answer = await (i % 2 === 0 ? app : second).call(
            administrator,
            'POST',
            `/Invoices/Issue/${draft.guid}`,
            { version: draft.version },
          )
          expect(answer.status).toBe(i % 10 === 9 ? 422 : 200)
        }
      }
      await Promise.all(Array.from({ length: 24 }, work))
      const rows = await app.deps.db
        .selectFrom('invoices')
        .select('number')
        .where(
          'guid',
          'in',
          drafts.map((d) => d.guid),
        )
        .where('status', '=', 'issued')
        .execute()
      const numbers = rows.map((r) => Number(r.number?.slice(4))).sort((a, b) => a - b)
      expect(numbers).toEqual(Array.from({ length: (many * 9) / 10 }, (_, i) => before.next + i))
    } finally {
      await second.close()
    }
  }, 120_000)

  it('of many at once keeps what works and says of each other why not', async () => {
    const good = await aDraft()
    const empty = await aDraft({ lines: [] })
    const issued = await anIssued()
    const { results } = ok(
      await app.call<{ results: { guid: string; ok: boolean; message: string }[] }>(office, 'POST', '/Invoices/Bulk', {
        action: 'issue',
        guids: [empty.guid, good.guid, issued.guid, customerGuid],
      }),
    )
    expect(results).toEqual([
      { guid: empty.guid, ok: false, message: 'Add at least one line with a price.' },
      { guid: good.guid, ok: true, message: 'Issued.' },
      { guid: issued.guid, ok: false, message: `Invoice ${issued.number} is issued and can’t be issued again.` },
      { guid: customerGuid, ok: false, message: 'We can’t find that record.' },
    ])
    expect((await read(good.guid)).status).toBe('issued')
    expect((await read(empty.guid)).serviceGuid).toBeNull()
  })

  it('takes no GST when the business is not registered for it', async () => {
    await app.deps.db.updateTable('businesses').set({ gstRegistered: false }).where('guid', '=', businessGuid).execute()
    try {
      expect(await anIssued()).toMatchObject({ isTaxInvoice: false, totals: { gstCents: 0, totalCents: 25_000 } })
    } finally {
      await app.deps.db
        .updateTable('businesses')
        .set({ gstRegistered: true })
        .where('guid', '=', businessGuid)
        .execute()
    }
  })
})

describe('an issued invoice', () => {
  it('is sent with its link and PDF; a draft is issued first', async () => {
    const draft = await aDraft()
    const { invoice } = ok(
      await app.call<One>(office, 'POST', `/Invoices/Send/${draft.guid}`, {
        version: draft.version,
        note: 'Thank you',
      }),
    )
    expect(invoice.status).toBe('issued')
    expect(invoice.sentAt).not.toBeNull()
    expect(invoice.related.messages).toHaveLength(1)
    const message = await app.deps.db
      .selectFrom('messages')
      .select(['recipients', 'subject', 'ownerNumber'])
      .where('ownerGuid', '=', draft.guid)
      .executeTakeFirstOrThrow()
    expect(message).toMatchObject({ recipients: ['anna@hartmann.example'], ownerNumber: invoice.number })
    expect(message.subject).toContain(invoice.number)
  })

  it('is not issued either when there is no address to send it to', async () => {
    const silent = await aCustomer(app, office, { displayName: 'No Mail', email: null })
    const draft = await aDraft({ customerGuid: silent.guid })
    const { status, errors } = await app.call(office, 'POST', `/Invoices/Send/${draft.guid}`, {
      version: draft.version,
    })
    expect([status, errors[0]?.path]).toEqual([422, 'to'])
    expect((await read(draft.guid)).status).toBe('draft')
  })

  it('is voided while nothing was paid, and its entry is mirrored', async () => {
    const invoice = await anIssued()
    const { invoice: gone } = ok(
      await app.call<One>(office, 'POST', `/Invoices/Void/${invoice.guid}`, {
        version: invoice.version,
        reason: 'Wrong price',
      }),
    )
    expect(gone).toMatchObject({
      status: 'void',
      displayStatus: 'void',
      voidReason: 'Wrong price',
      number: invoice.number,
      balanceCents: 0,
      serviceGuid: invoice.serviceGuid,
    })
    expect(await entryOf('void', invoice.guid)).toEqual([
      ['1100', -27_500],
      ['4000', 25_000],
      ['2100', 2500],
    ])
    const paid = await anIssued()
    ok(await pay(paid.guid, 100), 201)
    expect(
      (await app.call(office, 'POST', `/Invoices/Void/${paid.guid}`, { version: paid.version, reason: 'x' })).message,
    ).toBe(`Invoice ${paid.number} has payments. Refund them first.`)
  })

  it('gets a new link, and the old one ends', async () => {
    const invoice = await anIssued()
    const { invoice: after } = ok(
      await app.call<One>(office, 'POST', `/Invoices/Link/${invoice.guid}`, { version: invoice.version }),
    )
    expect(after.serviceGuid).not.toBe(invoice.serviceGuid)
    expect((await app.call(actors.guest, 'GET', `/Service/Invoices/${invoice.serviceGuid}`)).status).toBe(404)
    expect((await app.call(actors.guest, 'GET', `/Service/Invoices/${after.serviceGuid}`)).status).toBe(200)
  })

  it('is adjusted with its part of the GST; the last part takes what is left', async () => {
    const invoice = await anIssued({
      lines: [
        aLine({ quantity: '1', unitPriceCents: 10_003 }),
        aLine({ name: 'Water', quantity: '1', unitPriceCents: 3331, gstCode: 'FREE' }),
      ],
    })
    const { totalCents, gstCents } = invoice.totals
    const note = (amountCents: number) =>
      inTransaction(systemRun(app.deps, 'test'), (ctx) =>
        createAdjustmentNote(ctx, { invoiceGuid: invoice.guid, amountCents, reason: 'Price adjusted' }),
      )
    const first = await note(5000)
    expect(first).toMatchObject({ number: expect.stringMatching(/^ADJ-01\d\d$/), gstCents: 349 })
    const second = await note(totalCents - 5000)
    expect(first.gstCents + second.gstCents).toBe(gstCents)
    await expect(note(1)).rejects.toThrow('You can adjust up to $0.00 of invoice')
    const shown = await read(first.guid)
    expect(shown).toMatchObject({
      kind: 'adjustment_note',
      status: 'issued',
      balanceCents: 0,
      totals: { totalCents: 5000 },
      adjustmentReason: 'Price adjusted',
      related: { adjusts: { guid: invoice.guid, label: invoice.number } },
    })
    expect(await entryOf('adjustment_note', first.guid)).toEqual([
      // What bears no GST, and what does.
      ['4000', 1162],
      ['4000', 5000 - first.gstCents - 1162],
      ['2100', first.gstCents],
      ['1100', -5000],
    ])
    expect((await read(invoice.guid)).related.adjustmentNotes.map((n) => n.totalCents)).toEqual([
      5000,
      totalCents - 5000,
    ])
    const message = { version: shown.version, to: ['site@example.com'] }
    ok(await app.call(office, 'POST', `/Invoices/Send/${first.guid}`, message))
    const timeline = ok(
      await app.call<{ items: { what: string; values: object }[] }>(office, 'GET', `/Invoices/Timeline/${first.guid}`),
    )
    expect(timeline.items.find(({ what }) => what === 'invoice.sent')?.values).toMatchObject({
      number: first.number,
      kind: 'adjustment_note',
    })
    expect(
      (await app.call(office, 'POST', `/Invoices/Void/${first.guid}`, { version: shown.version + 1, reason: 'x' }))
        .message,
    ).toBe('An adjustment note can’t be voided.')
  })

  it('cannot be changed by any road around the services', async () => {
    const invoice = await anIssued()
    const { db } = app.deps
    await expect(
      db.updateTable('invoices').set({ title: 'Other' }).where('guid', '=', invoice.guid).execute(),
    ).rejects.toThrow('issued documents cannot be changed')
    await expect(
      db.updateTable('invoices').set({ paidCents: 27_500 }).where('guid', '=', invoice.guid).execute(),
    ).rejects.toThrow('money on issued documents')
    await expect(db.deleteFrom('invoiceLines').where('invoiceGuid', '=', invoice.guid).execute()).rejects.toThrow(
      'lines of issued documents',
    )
  })

  it('is there as PDF, as its order is', async () => {
    const invoice = await anIssued()
    const { order } = ok(
      await app.call<{ order: { guid: string } }>(office, 'POST', '/Orders', {
        customerGuid,
        title: 'Fence',
        lines: [aLine()],
      }),
      201,
    )
    for (const path of [`/Invoices/Pdf/${invoice.guid}`, `/Orders/Pdf/${order.guid}`]) {
      const answer = await app.call(office, 'GET', path)
      expect([answer.status, answer.headers['content-type'], answer.body.slice(0, 5)]).toEqual([
        200,
        'application/pdf',
        '%PDF-',
      ])
    }
  })

  it('tells what happened with it', async () => {
    const invoice = await anIssued()
    ok(await pay(invoice.guid, 500), 201)
    const { items } = ok(
      await app.call<{ items: { what: string }[] }>(office, 'GET', `/Invoices/Timeline/${invoice.guid}`),
    )
    expect(items.map((i) => i.what)).toEqual(
      expect.arrayContaining(['invoice.issued', 'invoice.created', 'payment.received']),
    )
  })
})

describe('the list of invoices', () => {
  it('shows each status as its tile counts it', async () => {
    const soon = await anIssued({ termsDays: 0 })
    const half = await anIssued()
    ok(await pay(half.guid, 1000), 201)
    const full = await anIssued()
    ok(await pay(full.guid, 27_500), 201)
    const viewed = await anIssued()
    await app.deps.db
      .updateTable('invoices')
      .set({ firstViewedAt: clock, viewCount: 1 })
      .where('guid', '=', viewed.guid)
      .execute()
    clock = new Date('2026-07-02T14:30:00Z')
    office = { headers: await logIn(app, actors.office.authId) }
    expect((await read(soon.guid)).displayStatus).toBe('overdue')
    const { items } = ok(
      await app.call<{ items: { status: string; count: number }[] }>(office, 'GET', '/Invoices/Metrics/StatusMetrics'),
    )
    expect(items.filter((i) => i.count > 0).map((i) => i.status)).toEqual(
      expect.arrayContaining(['draft', 'sent', 'viewed', 'partially_paid', 'overdue', 'paid', 'void']),
    )
    for (const { status, count } of items) {
      const page = ok(
        await app.call<{ items: { displayStatus: string }[]; page: { total: { value: number } } }>(
          office,
          'GET',
          `/Invoices?status=${status}&size=100`,
        ),
      )
      expect([status, page.page.total.value]).toEqual([status, count])
      expect(page.items.every((i) => i.displayStatus === status)).toBe(true)
    }
  })

  it('finds by text, kind, customer and days, sorts and exports', async () => {
    const invoice = await anIssued({ title: 'Quokka shelter', reference: 'Q-77' })
    for (const query of [
      'search=quokka',
      `search=${invoice.number}`,
      'search=q-77&kind=standard&issueOn.gte=2026-07-01&dueOn.lte=2026-12-31&sort=-dueOn,number',
      `search=quokka&customerGuid=${customerGuid}&sort=balanceCents`,
    ]) {
      const { items } = ok(await app.call<{ items: { guid: string }[] }>(office, 'GET', `/Invoices?${query}`))
      expect(items.map((i) => i.guid)).toContain(invoice.guid)
    }
    expect((await app.call(office, 'GET', '/Invoices/Export?search=quokka')).body).toContain(
      `${invoice.number},standard,Quokka shelter`,
    )
    expect((await app.call(office, 'GET', '/Invoices?colour=red')).status).toBe(400)
  })

  it('keeps to what a role may see', async () => {
    const small = await anIssued({ lines: [aLine({ quantity: '1', unitPriceCents: 100 })] })
    const large = await anIssued({ lines: [aLine({ quantity: '9', unitPriceCents: 100_000 })] })
    const limited = await aPersonWho(app, 'limited', [
      { subject: 'Invoices', action: 'read', conditions: { amountBelowCents: 50_000 } },
    ])
    expect((await app.call(limited, 'GET', `/Invoices/${small.guid}`)).status).toBe(200)
    expect((await app.call(limited, 'GET', `/Invoices/${large.guid}`)).status).toBe(404)
    expect((await app.call(limited, 'GET', `/Invoices/Pdf/${large.guid}`)).status).toBe(404)
    expect((await app.call(limited, 'POST', `/Invoices/Void/${small.guid}`, { version: 1, reason: 'x' })).status).toBe(
      403,
    )
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileSentences, maxAttachments } from '../../contract/files.ts'
import { newGuid } from '../core/guid.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aCustomer, aLine, aSentQuote, aQuote, many, ok, startBusiness } from '../../test/support/factories.ts'
import {
  aFile,
  anAttachment,
  attach,
  type AttachmentAnswer,
  attachmentsOf,
  type FileAnswer,
} from '../../test/support/files.ts'
import type { Caller, Running } from '../../test/support/start.ts'

let app: Running
let people: Actors
let customerGuid: string
beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness())
})
afterAll(() => app.stop())

const customer = () => ['Customers', customerGuid] as const
const aProduct = async () =>
  [
    'Products',
    ok(
      await app.call<{ product: { guid: string } }>(people.office, 'POST', '/Products', {
        name: randomUUID(),
        priceCents: 1,
      }),
      201,
    ).product.guid,
  ] as const
const anOrder = async () => {
  const made = await app.call<{ order: { guid: string; version: number } }>(people.office, 'POST', '/Orders', {
    customerGuid,
    title: 'Pool fence',
    lines: [aLine()],
  })
  return ['Orders', ok(made, 201).order.guid] as const
}
const change = (who: Caller, guid: string, body: Record<string, unknown>) =>
  app.call<{ attachment: AttachmentAnswer }>(who, 'PATCH', `/Files/Attachments/${guid}`, body)
const detach = (who: Caller, guid: string, version = 1) =>
  app.call<{ attachment: AttachmentAnswer }>(who, 'DELETE', `/Files/Attachments/${guid}?version=${version}`)
const restore = (who: Caller, guid: string) =>
  app.call<{ attachment: AttachmentAnswer }>(who, 'POST', `/Files/Attachments/Restore/${guid}`)

describe('a file on a record', () => {
  test('is attached, told of, changed, detached and put back', async () => {
    const owner = await anOrder()
    const file = await aFile(app, people.office, Buffer.from('Before we began'), 'before.txt')
    const made = ok(
      await attach(app, people.office, owner, { fileGuid: file.guid, place: 'before', caption: 'Gate' }),
      201,
    )
    expect(made.attachments).toMatchObject([
      {
        version: 1,
        file: { guid: file.guid, name: 'before.txt' },
        owner: { noun: 'Orders', guid: owner[1] },
        place: 'before',
        caption: 'Gate',
        forCustomer: false,
        detachedAt: null,
      },
    ])
    const guid = made.attachments[0]?.guid ?? ''
    expect(
      ok(await change(people.office, guid, { version: 1, caption: null, forCustomer: true })).attachment,
    ).toMatchObject({
      version: 2,
      caption: null,
      place: 'before',
      forCustomer: true,
    })
    const late = await change(people.office, guid, { version: 1, caption: 'Late' })
    expect([late.error, (late.data as unknown as { attachment: AttachmentAnswer }).attachment.version]).toEqual([
      'STALE_VERSION',
      2,
    ])
    expect((await detach(people.office, guid)).error).toBe('STALE_VERSION')
    expect(ok(await detach(people.office, guid, 2)).attachment.detachedAt).not.toBeNull()
    expect(await attachmentsOf(app, people.office, owner)).toEqual([])
    expect((await attachmentsOf(app, people.office, owner, '&detached=true')).map((a) => a.guid)).toEqual([guid])
    expect((await detach(people.office, guid, 3)).status).toBe(409)
    expect(ok(await restore(people.office, guid)).attachment.detachedAt).toBeNull()
    expect((await restore(people.office, guid)).status).toBe(409)
    const timeline = ok(
      await app.call<{ items: { what: string; values: Record<string, unknown> }[] }>(
        people.office,
        'GET',
        `/Orders/Timeline/${owner[1]}`,
      ),
    )
    expect(
      timeline.items.filter((t) => t.what.startsWith('attachment.')).map((t) => [t.what, t.values['name']]),
    ).toEqual([
      ['attachment.restored', 'before.txt'],
      ['attachment.detached', 'before.txt'],
      ['attachment.updated', 'before.txt'],
      ['attachment.added', 'before.txt'],
    ])
  })

  test('of a quote hangs on its next revision too, which takes it off by itself', async () => {
    const quote = await aSentQuote(app, people.office, customerGuid)
    const file = await aFile(app, people.office, Buffer.from('Layout'), 'layout.txt')
    const shown = { fileGuid: file.guid, caption: 'Layout', forCustomer: true }
    ok(await attach(app, people.office, ['Quotes', quote.guid], shown), 201)
    const revised = await app.call<{ quote: { guid: string; number: string; version: number } }>(
      people.office,
      'POST',
      `/Quotes/Revise/${quote.guid}`,
      { version: quote.version },
    )
    const revision = ok(revised, 201).quote
    const [kept] = await attachmentsOf(app, people.office, ['Quotes', revision.guid])
    expect(kept).toMatchObject({ file: { name: 'layout.txt' }, caption: 'Layout', forCustomer: true })
    ok(await app.call(people.office, 'POST', `/Quotes/Send/${revision.guid}`, { version: revision.version }))
    const page = await app.call<{ files: { name: string }[] }>(
      people.guest,
      'GET',
      `/Service/Quotes/${quote.serviceGuid}`,
    )
    expect(ok(page).files.map(({ name }) => name)).toEqual(['layout.txt'])
    expect(await attachmentsOf(app, people.office, ['Quotes', quote.guid])).toHaveLength(1)
    // By the name a list shows it with.
    const found = await app.call<{ items: { guid: string }[] }>(
      people.office,
      'GET',
      `/Quotes?search=${encodeURIComponent(`${revision.number} R1`)}`,
    )
    expect(ok(found).items.map(({ guid }) => guid)).toContain(revision.guid)
  })

  test('is found again for another record of the same customer, and of nobody else', async () => {
    const [order, other] = [await anOrder(), await aCustomer(app, people.office, { displayName: 'Somebody else' })]
    const quote = await aQuote(app, people.office, customerGuid)
    const file = await aFile(app, people.office, Buffer.from('Gate on site'), 'gate.txt')
    ok(await attach(app, people.office, order, { fileGuid: file.guid, caption: 'Gate' }), 201)
    const near = async (noun: string, owner: string, who: Caller = people.office) =>
      app.call<{ items: AttachmentAnswer[] }>(who, 'GET', `/Files/Nearby?noun=${noun}&owner=${owner}`)
    const names = async (noun: string, owner: string) => ok(await near(noun, owner)).items.map((item) => item.file.name)
    expect(await names('Quotes', quote.guid)).toContain('gate.txt')
    expect(await names('Customers', customerGuid)).toContain('gate.txt')
    expect(await names('Customers', other.guid)).toEqual([])
    expect(await names('Orders', order[1])).not.toContain('gate.txt')
    ok(await attach(app, people.office, ['Quotes', quote.guid], { fileGuid: file.guid }), 201)
    expect(await names('Quotes', quote.guid)).not.toContain('gate.txt')
    expect((await near('Quotes', quote.guid, people.readOnly)).status).toBe(403)
    expect((await near('Quotes', newGuid())).status).toBe(404)
  })

  test('comes with up to twenty others, all of them or none, and stand in their order', async () => {
    const owner = await aProduct()
    const files = await many(3, (i) => aFile(app, people.office, Buffer.from(`n${i}`), `${i}.txt`))
    const wrong = await attach(app, people.office, owner, { fileGuid: files[0]?.guid }, { fileGuid: newGuid() })
    expect([wrong.status, wrong.errors[0]?.path]).toEqual([422, 'items.1.fileGuid'])
    expect(await attachmentsOf(app, people.office, owner)).toEqual([])
    ok(await attach(app, people.office, owner, ...files.map(({ guid }) => ({ fileGuid: guid }))), 201)
    expect((await attachmentsOf(app, people.office, owner)).map((a) => a.file.name)).toEqual([
      '0.txt',
      '1.txt',
      '2.txt',
    ])
    expect((await attach(app, people.office, owner)).status).toBe(422)
    const tooMany = Array.from({ length: 21 }, () => ({ fileGuid: files[0]?.guid }))
    expect((await attach(app, people.office, owner, ...tooMany)).status).toBe(422)
    const page = `/Files/Attachments?noun=Products&owner=${owner[1]}&size=2`
    const first = ok(
      await app.call<{ items: AttachmentAnswer[]; page: { next: string; total: unknown } }>(people.office, 'GET', page),
    )
    expect([first.items.length, first.page.total]).toEqual([2, { value: 3, isExact: true }])
    const second = ok(
      await app.call<{ items: AttachmentAnswer[] }>(people.office, 'GET', `${page}&after=${first.page.next}`),
    )
    expect(second.items.map((a) => a.file.name)).toEqual(['2.txt'])
    await anAttachment(app, people.office, owner, {}, await aFile(app, people.office, Buffer.from('new'), 'new.txt'))
    expect((await attachmentsOf(app, people.office, owner))[0]?.file.name).toBe('new.txt')
  })

  test('hangs there once, however often that is asked for', async () => {
    const owner = await aProduct()
    const { guid } = await aFile(app, people.office)
    const answers = await Promise.all([1, 2, 3].map(() => attach(app, people.office, owner, { fileGuid: guid })))
    expect(new Set(answers.map((a) => ok(a, 201).attachments[0]?.guid)).size).toBe(1)
    ok(await attach(app, people.office, owner, { fileGuid: guid, place: 'after' }), 201)
    const [after, plain] = await attachmentsOf(app, people.office, owner)
    expect((await change(people.office, after?.guid ?? '', { version: 1, place: null })).error).toBe('ALREADY_EXISTS')
    ok(await detach(people.office, plain?.guid ?? ''))
    ok(await attach(app, people.office, owner, { fileGuid: guid }), 201)
    expect((await restore(people.office, plain?.guid ?? '')).error).toBe('ALREADY_EXISTS')
  })

  test('is one of 200 at most, also when fifty arrive at once', async () => {
    const owner = await aProduct()
    const files = await many(50, (i) => aFile(app, people.office, Buffer.from(`cap ${i}`), `${i}.txt`))
    const there = await aFile(app, people.office)
    await app.deps.db
      .insertInto('attachments')
      .values(
        Array.from({ length: maxAttachments - 10 }, (_, i) => ({
          fileGuid: there.guid,
          ownerNoun: 'Products' as const,
          ownerGuid: owner[1],
          place: String(i),
        })),
      )
      .execute()
    const answers = await Promise.all(files.map(({ guid }) => attach(app, people.office, owner, { fileGuid: guid })))
    expect(answers.filter((a) => a.status === 201).length).toBe(10)
    expect(new Set(answers.filter((a) => a.status !== 201).map((a) => `${a.status} ${a.message}`))).toEqual(
      new Set([`409 ${fileSentences.full}`]),
    )
    const [newest] = await attachmentsOf(app, people.office, owner)
    ok(await detach(people.office, newest?.guid ?? ''))
    const spare = files.find((_, i) => answers[i]?.status !== 201) as FileAnswer
    ok(await attach(app, people.office, owner, { fileGuid: spare.guid }), 201)
    expect((await restore(people.office, newest?.guid ?? '')).message).toBe(fileSentences.full)
  })

  test('refuses captions that are too long and records that are not there', async () => {
    const { guid } = await aFile(app, people.office)
    const long = await attach(app, people.office, customer(), { fileGuid: guid, caption: 'x'.repeat(201) })
    expect([long.status, long.errors[0]?.path]).toEqual([422, 'items.0.caption'])
    expect((await attach(app, people.office, ['Customers', newGuid()], { fileGuid: guid })).status).toBe(404)
    expect((await attach(app, people.office, ['Users', customerGuid], { fileGuid: guid })).status).toBe(422)
    expect((await change(people.office, newGuid(), { version: 1 })).status).toBe(404)
    const unknown = `/Files/Attachments?noun=Customers&owner=${customerGuid}&search=x`
    expect((await app.call(people.office, 'GET', unknown)).status).toBe(400)
  })
})

describe('a finished record', () => {
  test('keeps what hung there when it was sent, and takes more', async () => {
    const draft = await aQuote(app, people.office, customerGuid)
    const owner = ['Quotes', draft.guid] as const
    const [kept, gone] = [
      await anAttachment(app, people.office, owner),
      await anAttachment(app, people.office, owner, { caption: 'plan' }),
    ]
    ok(await detach(people.office, gone.guid))
    ok(await app.call(people.office, 'POST', `/Quotes/Send/${draft.guid}`, { version: draft.version }))
    const refused = await detach(people.office, kept.guid)
    expect([refused.status, refused.message]).toEqual([409, fileSentences.frozen])
    ok(await change(people.office, kept.guid, { version: 1, caption: 'As sent' }))
    const later = await anAttachment(app, people.office, owner)
    ok(await detach(people.office, later.guid))
  })
})

describe('who may', () => {
  test('is whoever may read or change the record, and no other', async () => {
    const owner = await anOrder()
    const file = await anAttachment(app, people.office, owner)
    const read = async (who: Caller | null) =>
      (await app.call(who, 'GET', `/Files/Attachments?noun=Orders&owner=${owner[1]}`)).status
    const add = async (who: Caller) =>
      (await attach(app, who, owner, { fileGuid: file.file.guid, place: randomUUID() })).status
    // The order is not the field worker's: for him it is not there.
    expect([await read(people.field), await add(people.field)]).toEqual([404, 404])
    expect((await detach(people.field, file.guid)).status).toBe(404)
    await app.deps.db
      .updateTable('orders')
      .set({ assignedGuid: people.field.userGuid })
      .where('guid', '=', owner[1])
      .execute()
    expect([await read(people.field), await add(people.field)]).toEqual([200, 201])
    expect([await read(people.sales), await add(people.sales)]).toEqual([200, 403])
    expect([await read(people.readOnly), await add(people.readOnly)]).toEqual([200, 403])
    expect([await read(people.accountant), await add(people.accountant)]).toEqual([200, 403])
    expect([await read(people.emptyRole), await add(people.emptyRole)]).toEqual([403, 403])
    expect([await read(people.guest), await read(null)]).toEqual([403, 401])
    const invoices = `/Files/Attachments?noun=Invoices&owner=${newGuid()}`
    expect((await app.call(people.field, 'GET', invoices)).status).toBe(403)
  })

  test('of a site is whoever may do so with its customer', async () => {
    const { sites } = await aCustomer(app, people.office, {
      displayName: 'Site owner',
      sites: [{ name: 'Yard', address: { line1: '1 A St', suburb: 'Marrickville', state: 'NSW', postcode: '2204' } }],
    })
    const owner = ['Sites', sites[0]?.guid ?? ''] as const
    ok(await attach(app, people.sales, owner, { fileGuid: (await aFile(app, people.sales)).guid }), 201)
    expect((await attachmentsOf(app, people.office, owner)).length).toBe(1)
    const [, guid] = owner
    const seen = (who: Caller) => app.call(who, 'GET', `/Files/Attachments?noun=Sites&owner=${guid}`)
    expect([(await seen(people.field)).status, (await seen(people.readOnly)).status]).toEqual([404, 200])
  })

  test('of files is whoever sent them or sees them on a record', async () => {
    const mine = await aFile(app, people.office)
    const add = (who: Caller, fileGuid: string) => attach(app, who, customer(), { fileGuid })
    expect((await add(people.sales, mine.guid)).errors[0]?.path).toBe('items.0.fileGuid')
    ok(await add(people.office, mine.guid), 201)
    ok(await attach(app, people.sales, customer(), { fileGuid: mine.guid, place: 'again' }), 201)
  })

  test('of payments is whoever records them', async () => {
    const payment = ok(
      await app.call<{ payment: { guid: string } }>(
        people.office,
        'POST',
        '/Payments',
        { method: 'cash', receivedOn: '2026-11-01', amountCents: 100, customerGuid, allocations: [] },
        { 'idempotency-key': randomUUID() },
      ),
      201,
    ).payment.guid
    const receipt = await aFile(app, people.accountant)
    ok(await attach(app, people.accountant, ['Payments', payment], { fileGuid: receipt.guid }), 201)
    expect((await attachmentsOf(app, people.office, ['Payments', payment])).length).toBe(1)
  })
})

describe('the bytes', () => {
  const fetch = (who: Caller | null, guid: string, query = '', headers: Record<string, string> = {}) =>
    app.call(who, 'GET', `/Files/Content/${guid}${query}`, undefined, headers)

  test('are a download that can do nothing in our pages, and are asked for again only when they changed', async () => {
    const { file } = await anAttachment(
      app,
      people.office,
      customer(),
      {},
      await aFile(app, people.office, Buffer.from('<script>alert(1)</script>'), 'ü "x".html'),
    )
    const answer = await fetch(people.office, file.guid)
    expect(answer.body).toBe('<script>alert(1)</script>')
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      etag: `"${file.sha256}"`,
    })
    expect(answer.headers['content-security-policy']).toContain('sandbox')
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="_ _x_.txt"; filename*=UTF-8''%C3%BC%20_x_.txt`,
    )
    for (const known of [`"${file.sha256}"`, `W/"${file.sha256}"`, `"a", "${file.sha256}"`, '*']) {
      const again = await fetch(people.office, file.guid, '', { 'if-none-match': known })
      expect([again.status, again.body]).toEqual([304, ''])
    }
    expect((await fetch(people.office, file.guid, '', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('are for whoever reads a record they hang on', async () => {
    const loose = await aFile(app, people.office)
    expect((await fetch(people.office, loose.guid)).status).toBe(200)
    expect((await fetch(people.sales, loose.guid)).status).toBe(404)
    // A customer for whom the field worker has no order.
    const stranger = ['Customers', (await aCustomer(app, people.office, { displayName: 'Other' })).guid] as const
    const { guid, file } = await anAttachment(app, people.office, stranger, {}, loose)
    expect((await fetch(people.sales, file.guid)).status).toBe(200)
    expect((await fetch(people.field, file.guid)).status).toBe(404)
    expect((await fetch(people.emptyRole, file.guid)).status).toBe(404)
    expect((await fetch(people.guest, file.guid)).status).toBe(404)
    expect((await fetch(null, file.guid)).status).toBe(401)
    expect((await fetch(people.office, newGuid())).status).toBe(404)
    expect((await fetch(people.office, file.guid, '?size=huge')).status).toBe(400)
    expect((await fetch(people.office, file.guid, '?size=thumb')).status).toBe(404)
    ok(await detach(people.office, guid))
    expect((await fetch(people.sales, file.guid)).status).toBe(200)
  })

  test('are the customer’s by the link of a record that shows them, while it is open', async () => {
    const quote = await aSentQuote(app, people.office, customerGuid)
    const other = await aSentQuote(app, people.office, customerGuid)
    const owner = ['Quotes', quote.guid] as const
    const [shown, hidden] = [
      await anAttachment(app, people.office, owner, { forCustomer: true }),
      await anAttachment(app, people.office, owner),
    ]
    const asGuest = async (guid: string, query: string) => (await fetch(people.guest, guid, query)).status
    expect(await asGuest(shown.file.guid, `?link=${quote.serviceGuid}`)).toBe(200)
    expect(await asGuest(hidden.file.guid, `?link=${quote.serviceGuid}`)).toBe(404)
    expect(await asGuest(shown.file.guid, `?link=${other.serviceGuid}`)).toBe(404)
    expect(await asGuest(shown.file.guid, `?link=${randomUUID()}`)).toBe(404)
    expect(await asGuest(shown.file.guid, '')).toBe(404)
    expect(await asGuest(shown.file.guid, `?link=${quote.serviceGuid}&size=original`)).toBe(403)
    await app.deps.db.updateTable('attachments').set({ forCustomer: false }).where('guid', '=', shown.guid).execute()
    expect(await asGuest(shown.file.guid, `?link=${quote.serviceGuid}`)).toBe(404)
    await app.deps.db.updateTable('attachments').set({ forCustomer: true }).where('guid', '=', shown.guid).execute()
    ok(await detach(people.office, shown.guid))
    expect(await asGuest(shown.file.guid, `?link=${quote.serviceGuid}`)).toBe(404)
    ok(await restore(people.office, shown.guid))
    ok(await app.call(people.office, 'POST', `/Quotes/Link/${quote.guid}`, { version: quote.version }))
    expect(await asGuest(shown.file.guid, `?link=${quote.serviceGuid}`)).toBe(404)
  })

  test('that wait for a check, or have a virus, are nobody’s', async () => {
    const owner = await aProduct()
    const made = await anAttachment(app, people.office, owner)
    const mark = (scan: 'waiting' | 'infected') =>
      app.deps.db.updateTable('files').set({ scan }).where('guid', '=', made.file.guid).execute()
    await mark('waiting')
    const waiting = await fetch(people.office, made.file.guid)
    expect([waiting.status, waiting.message]).toEqual([409, fileSentences.waiting])
    const shown = await change(people.office, made.guid, { version: 1, forCustomer: true })
    expect([shown.status, shown.message]).toEqual([409, fileSentences.waiting])
    const early = await attach(app, people.office, customer(), { fileGuid: made.file.guid, forCustomer: true })
    expect(early.message).toBe(fileSentences.waiting)
    await mark('infected')
    const infected = await fetch(people.office, made.file.guid)
    expect([infected.status, infected.message]).toEqual([409, 'A virus was found in this file.'])
    expect((await attach(app, people.office, customer(), { fileGuid: made.file.guid })).message).toBe(
      fileSentences.infected,
    )
    expect((await attachmentsOf(app, people.office, owner))[0]?.file.scan).toBe('infected')
    // What a scan found is final, and the rest of a file never changes.
    await expect(mark('waiting')).rejects.toThrow('final')
    const renamed = app.deps.db.updateTable('files').set({ name: 'x' }).where('guid', '=', made.file.guid).execute()
    await expect(renamed).rejects.toThrow('does not change')
  })
})

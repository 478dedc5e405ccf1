import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JobType } from '../../contract/job-types.ts'
import type { Message } from '../../contract/messages.ts'
import type { Quote } from '../../contract/quotes.ts'
import type { Request, RequestForm } from '../../contract/requests.ts'
import { type Actors, aPerson, aRole } from '../../test/support/actors.ts'
import { ok, startBusiness } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

let app: Running
let people: Actors
let jobType: JobType
let form: RequestForm
beforeAll(async () => {
  ;({ app, actors: people } = await startBusiness())
  const made = await options()
  const product = (
    await post<{ product: { guid: string } }>('/Products', {
      name: 'Marquee',
      priceCents: 78_000,
      optionGuids: [made.size],
    })
  ).product.guid
  jobType = (
    await post<{ jobType: JobType }>('/JobTypes', {
      name: 'Event',
      lines: [{ productGuid: product, quantity: '2' }],
      optionGuids: [made.size, made.lights, made.night, made.crew, made.heaters],
    })
  ).jobType
  form = await aForm('events')
})
afterAll(() => app.stop())

const post = async <D>(path: string, body: unknown): Promise<D> =>
  ok(await app.call<D>(people.office, 'POST', path, body), 201)
const choice = (code: string, more: object = {}) => ({ code, label: { en: code }, ...more })

async function options(): Promise<Record<string, string>> {
  const all = [
    {
      code: 'size',
      input: 'single',
      required: true,
      answeredBy: 'guest',
      choices: [choice('ten'), choice('twelve', { cents: 20_000 })],
    },
    { code: 'lights', input: 'boolean', answeredBy: 'both', choices: [choice('yes', { cents: 12_300 })] },
    {
      code: 'night',
      input: 'text',
      required: true,
      answeredBy: 'guest',
      visibleWhen: { match: 'all', rules: [{ option: 'lights', op: 'is', value: 'yes' }] },
    },
    { code: 'crew', input: 'text', answeredBy: 'staff' },
    {
      code: 'heaters',
      input: 'quantity',
      answeredBy: 'guest',
      choices: [choice('each', { cents: 4_500, per: 'once' })],
    },
  ]
  const made: Record<string, string> = {}
  for (const option of all) {
    const { bookingOption } = await post<{ bookingOption: { guid: string } }>('/Products/BookingOptions', {
      label: { en: `${option.code}?` },
      ...option,
    })
    made[option.code] = bookingOption.guid
  }
  return made
}

const aForm = async (slug: string, more: object = {}) =>
  (
    await post<{ requestForm: RequestForm }>('/Quotes/RequestForms', {
      name: `Form ${slug}`,
      slug,
      jobTypeGuid: jobType.guid,
      heading: { en: 'Plan your event', fr: 'Votre événement' },
      thanks: { en: 'We’ll call you.' },
      ...more,
    })
  ).requestForm

const sent = {
  name: 'Anna Wren',
  email: 'anna@example.com',
  phone: '0400 000 111',
  siteAddress: { line1: '7 Quay St', suburb: 'Sydney', state: 'NSW', postcode: '2000' },
  message: 'A party for 80.',
  answers: [
    { option: 'size', value: { code: 'twelve' } },
    { option: 'heaters', value: { quantity: '3' } },
  ],
}
interface Thanked {
  reference: string
  thanks: { en: string } | null
}
const send = (body: object = {}, slug = 'events', headers: Record<string, string> = {}) =>
  app.call<Thanked>(people.guest, 'POST', `/Service/Requests/${slug}`, { ...sent, ...body }, headers)
const list = async (query = '', who = people.office) =>
  ok(await app.call<{ items: (Request & { guid: string })[] }>(who, 'GET', `/Quotes/Requests?${query}`)).items
const clearLimit = () => app.deps.db.deleteFrom('rateLimits').where('key', 'like', 'request:%').execute()
const counts = async () => {
  const count = async (table: 'customers' | 'quotes' | 'requests') =>
    Number(
      (
        await app.deps.db
          .selectFrom(table)
          .select((e) => e.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )
  return [await count('customers'), await count('quotes'), await count('requests')]
}

describe('a request form', () => {
  test('shows the public what it asks, and nothing of ours', async () => {
    const answer = await app.call<{ form: { questions: { code: string }[]; heading: object } }>(
      people.guest,
      'GET',
      '/Service/Requests/Events',
    )
    expect(ok(answer).form.questions.map(({ code }) => code)).toEqual(['size', 'lights', 'night', 'heaters'])
    expect(ok(answer).form.heading).toEqual({ en: 'Plan your event', fr: 'Votre événement' })
    for (const inside of ['12300', '20000', 'addProductGuid', 'bankAccount', 'crew', 'answeredBy', jobType.guid])
      expect(answer.body).not.toContain(inside)
  })

  test('makes a lead, a draft with its answers, a notice and a line of the log', async () => {
    const { reference, thanks } = ok(await send(), 201)
    expect(thanks?.en).toBe('We’ll call you.')
    const [item] = await list()
    expect(item).toMatchObject({ reference, name: 'Anna Wren', message: 'A party for 80.' })
    const { request } = ok(await app.call<{ request: Request }>(people.office, 'GET', `/Quotes/Requests/${item?.guid}`))
    expect(request.selections.map((one) => [one.optionCode, one.answeredBy])).toEqual([
      ['size', 'guest'],
      ['heaters', 'guest'],
    ])
    const { quote } = ok(await app.call<{ quote: Quote }>(people.office, 'GET', `/Quotes/${request.quote?.guid}`))
    expect(quote).toMatchObject({ status: 'draft', title: 'Event', jobTypeGuid: jobType.guid })
    expect(quote.related.request).toEqual({ guid: request.guid, label: reference })
    expect(quote.lines.map(({ name, quantity, unitPriceCents }) => [name, quantity, unitPriceCents])).toEqual([
      ['Marquee', '2', 98_000],
      ['3 × heaters?', '1', 13_500],
    ])
    expect(quote.totals.subtotalCents).toBe(2 * 98_000 + 13_500)
    expect(quote.internalNotes).toContain(`${reference}: A party for 80.\nsize? twelve\nheaters? 3`)
    const { customer } = ok(
      await app.call<{ customer: { status: string; internalNotes: string; contacts: object[]; sites: object[] } }>(
        people.office,
        'GET',
        `/Customers/${request.customer?.guid}`,
      ),
    )
    expect([customer.status, customer.contacts.length, customer.sites.length]).toEqual(['lead', 1, 1])
    // What he wrote is read where he is looked up, too.
    expect(customer.internalNotes).toContain(`${reference}: A party for 80.`)
    const answers = await app.deps.db.selectFrom('bookingSelections').select(['optionCode', 'requestGuid']).execute()
    expect(answers.filter(({ optionCode }) => optionCode === 'size').map(({ requestGuid }) => requestGuid)).toEqual([
      null,
    ])
    expect(answers.find(({ optionCode }) => optionCode === 'heaters')?.requestGuid).toBe(item?.guid)
  })

  test('makes a new lead each time, also of somebody it knows', async () => {
    await clearLimit()
    const before = await counts()
    ok(await send(), 201)
    expect(await counts()).toEqual(before.map((n) => n + 1))
  })

  test.each([
    ['no way to be reached', { email: null, phone: null }, 'email', 'Enter an email address or a phone number.'],
    ['a day that is past', { wantedOn: '2020-01-01' }, 'wantedOn', 'Choose today or a later date.'],
    ['no name', { name: ' ' }, 'name', 'Enter your name.'],
    ['a name of two lines', { name: 'a\nb' }, 'name', 'Remove line breaks and special characters.'],
    ['an answer it needs', { answers: [] }, 'answers.size', 'Answer “size?”.'],
    [
      'a choice it does not offer',
      { answers: [{ option: 'size', value: { code: 'big' } }] },
      'answers.size',
      'Choose one of the choices offered.',
    ],
    [
      'what staff answer',
      { answers: [...sent.answers, { option: 'crew', value: { text: 'me' } }] },
      'answers.crew',
      'This question isn’t asked for this line.',
    ],
    [
      'a question that comes up by another answer',
      { answers: [...sent.answers, { option: 'lights', value: { isYes: true } }] },
      'answers.night',
      'Answer “night?”.',
    ],
  ])('refuses %s at its field', async (_, body, path, message) => {
    await clearLimit()
    const before = await counts()
    const refused = await send(body)
    expect([refused.status, refused.errors]).toEqual([422, [{ path, message }]])
    expect(await counts()).toEqual(before)
  })

  test('keeps nothing of what a trap caught, and does not say so', async () => {
    const before = await counts()
    const caught = ok(await send({ website: 'http://spam.example' }), 201)
    expect(caught.reference).toMatch(/^RQ-[2-9A-Z]{7}$/)
    expect(await counts()).toEqual(before)
  })

  test('takes ten an hour from one address, also when they come at once', async () => {
    await clearLimit()
    const before = await counts()
    const answers = await Promise.all(Array.from({ length: 12 }, () => send()))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(refused).toHaveLength(2)
    expect(refused[0]?.message).toBe('Too many requests. Try again in an hour.')
    expect(await counts()).toEqual(before.map((n) => n + 10))
    await clearLimit()
  })

  test('makes one request of a button that is tapped twice, also at the same instant', async () => {
    await clearLimit()
    const before = await counts()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const answers = await Promise.all([send({}, 'events', headers), send({}, 'events', headers)])
    const later = await send({}, 'events', headers)
    expect(later.status).toBe(201)
    expect(
      new Set([...answers, later].flatMap(({ status, data }) => (status === 201 ? [data?.reference] : []))).size,
    ).toBe(1)
    expect(await counts()).toEqual(before.map((n) => n + 1))
  })

  test('takes what turns letters around out of names', async () => {
    await clearLimit()
    ok(await send({ name: 'Anna\u202eNerw' }), 201)
    expect((await list('search=AnnaNerw')).map(({ name }) => name)).toEqual(['AnnaNerw'])
  })

  test('is not there for the public while it rests, is archived, or was never made', async () => {
    await clearLimit()
    const resting = await aForm('resting', { isActive: false })
    const archived = await aForm('archived')
    ok(await app.call(people.office, 'DELETE', `/Quotes/RequestForms/${archived.guid}`))
    for (const slug of ['resting', 'archived', 'never']) {
      expect((await app.call(people.guest, 'GET', `/Service/Requests/${slug}`)).status).toBe(404)
      expect((await send({}, slug)).status).toBe(404)
    }
    ok(
      await app.call(people.office, 'PATCH', `/Quotes/RequestForms/${resting.guid}`, {
        version: resting.version,
        isActive: true,
      }),
    )
    ok(await send({}, 'resting'), 201)
  })

  test('has an address of its own, asks what it is told to, and shows it as a code', async () => {
    const same = await app.call(people.office, 'POST', '/Quotes/RequestForms', {
      name: 'Same',
      slug: 'events',
      jobTypeGuid: jobType.guid,
      heading: { en: 'Same' },
    })
    expect([same.error, same.errors[0]?.path]).toEqual(['ALREADY_EXISTS', 'slug'])
    expect(form.url).toMatch(/\/service\/r\/events$/)
    expect(form.qr.path.length).toBeGreaterThan(50)
    const size = form.questions.find(({ code }) => code === 'size')?.guid
    await aForm('short', { optionGuids: [size] })
    const shown = ok(
      await app.call<{ form: { questions: { code: string }[] } }>(people.guest, 'GET', '/Service/Requests/short'),
    )
    expect(shown.form.questions.map(({ code }) => code)).toEqual(['size'])
    const stranger = { name: 'X', slug: 'x-1', jobTypeGuid: jobType.guid, heading: { en: 'X' } }
    const wrong = await app.call(people.office, 'POST', '/Quotes/RequestForms', {
      ...stranger,
      optionGuids: [crypto.randomUUID()],
    })
    expect(wrong.errors[0]?.path).toBe('optionGuids.0')
    const nobody = await app.call(people.office, 'POST', '/Quotes/RequestForms', {
      ...stranger,
      notifyGuid: crypto.randomUUID(),
    })
    expect(nobody.errors[0]?.path).toBe('notifyGuid')
  })
})

describe('the word that a request has come', () => {
  const mails = () =>
    app.deps.db
      .selectFrom('messages')
      .select(['guid', 'recipients', 'subject', 'facts', 'attachments'])
      .where('template', '=', 'request_received')
      .orderBy('createdAt')
      .execute()
  const forget = () => app.deps.db.deleteFrom('rateLimits').where('key', 'like', 'request%').execute()

  test('goes to whoever sent it in the language of the page, with nothing typed and no link', async () => {
    await forget()
    const before = (await mails()).length
    const typed = { name: 'Buy at spam.example', message: 'Cheap pills at spam.example', language: 'fr' }
    const { reference } = ok(await send({ ...typed, email: 'wren@example.com' }), 201)
    const [mail, ...others] = (await mails()).slice(before)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      recipients: ['wren@example.com'],
      subject: `Nous avons reçu votre demande ${reference}`,
      attachments: [],
      facts: { language: 'fr', link: null, values: { title: 'Event', reference } },
    })
    expect(JSON.stringify(mail)).not.toContain('spam')
    const { message } = ok(await app.call<{ message: Message }>(people.office, 'GET', `/Messages/${mail?.guid}`))
    expect(message.bodyText).toMatch(/au sujet de « Event ». Votre référence est RQ-[^]*saisie dans une demande à/)
    expect(message.bodyHtml).not.toMatch(/spam|service\/quote/)
  })

  test('is not sent where there is no address, nor for what a trap caught', async () => {
    await forget()
    const before = (await mails()).length
    ok(await send({ email: null }), 201)
    ok(await send({ website: 'x' }), 201)
    expect(await mails()).toHaveLength(before)
  })

  test('reaches a mailbox three times a day however it is spelled, and every request counts', async () => {
    await forget()
    const [before, made] = [(await mails()).length, await counts()]
    for (const email of ['a.b@example.com', 'A.B@Example.com', 'a.b+1@example.com', 'a.b+2@example.com'])
      ok(await send({ email }), 201)
    expect(await mails()).toHaveLength(before + 3)
    expect(await counts()).toEqual(made.map((n) => n + 4))
    const keys = await app.deps.db
      .selectFrom('rateLimits')
      .select('key')
      .where('key', 'like', 'request-mail:%')
      .execute()
    expect(keys.some(({ key }) => key.includes('@'))).toBe(false)
    await forget()
  })
})

describe('a request that is no lead', () => {
  test('goes with its draft and its lead, and comes back with them', async () => {
    await clearLimit()
    const { reference } = ok(await send(), 201)
    const item = (await list(`search=${reference}`))[0] as Request
    const at = (deed: string, version: number) =>
      app.call<{ request: Request }>(people.office, 'POST', `/Quotes/Requests/${deed}/${item.guid}`, { version })
    const archived = async () => {
      const one = async (table: 'customers' | 'quotes', guid = '') =>
        (await app.deps.db.selectFrom(table).select('archivedAt').where('guid', '=', guid).executeTakeFirstOrThrow())
          .archivedAt !== null
      return [await one('quotes', item.quote?.guid), await one('customers', item.customer?.guid)]
    }
    const gone = ok(await at('Dismiss', item.version)).request
    expect(await archived()).toEqual([true, true])
    expect((await at('Dismiss', gone.version)).error).toBe('INVALID_TRANSITION')
    expect((await at('Reopen', item.version)).error).toBe('STALE_VERSION')
    expect(await list(`search=${reference}`)).toEqual([])
    const back = ok(await at('Reopen', gone.version)).request
    expect(await archived()).toEqual([false, false])
    ok(await app.call(people.office, 'POST', `/Quotes/Send/${item.quote?.guid}`, { version: 3, to: ['a@example.com'] }))
    expect((await at('Dismiss', back.version)).message).toContain('has been sent')
  })
})

describe('whoever may not', () => {
  test('sees no requests, and of those he sees no quote and no customer', async () => {
    const role = await aRole(app, 'Requests alone', [{ subject: 'Quotes:Requests:Preview:All', action: 'read' }])
    const reader = await aPerson(app, 'requests-alone', role)
    const [item] = await list('', reader)
    expect(item).toMatchObject({ quote: null, customer: null })
    expect((await app.call(reader, 'POST', `/Quotes/Requests/Dismiss/${item?.guid}`, { version: 1 })).status).toBe(403)
    expect((await app.call(people.field, 'GET', '/Quotes/Requests')).status).toBe(403)
    expect((await app.call(people.readOnly, 'POST', '/Quotes/RequestForms', {})).status).toBe(403)
  })

  test('sees requests of his own alone where his role says so', async () => {
    const role = await aRole(app, 'Own requests', [
      { subject: 'Quotes:Requests:Preview:All', action: 'read', conditions: { scope: 'own' } },
    ])
    const reader = await aPerson(app, 'own-requests', role)
    expect(await list('', reader)).toEqual([])
    const { guid } = await app.deps.db
      .selectFrom('users')
      .select('guid')
      .where('authId', '=', 'own-requests@test.example')
      .executeTakeFirstOrThrow()
    await clearLimit()
    await aForm('mine', { notifyGuid: guid })
    const { reference } = ok(await send({}, 'mine'), 201)
    expect((await list('', reader)).map((one) => one.reference)).toEqual([reference])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EmailTemplate, TemplatePreview, TemplateProof, TemplateTexts } from '../../contract/email-templates.ts'
import { type Actors, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aQuote, aSentQuote, ok } from '../../test/support/factories.ts'
import { composeMessages } from '../../test/support/messages.ts'
import { type Running, startApp } from '../../test/support/start.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { runProof } from './prove.ts'

let app: Running
let actors: Actors
let quoteGuid: string

beforeAll(async () => {
  app = await startApp({})
  actors = await seedActors(app)
  await aBusiness(app)
  const customer = await aCustomer(app, actors.office, { displayName: '<b>Jo & {{ Co }}</b>' })
  quoteGuid = (await aSentQuote(app, actors.office, customer.guid)).guid
})
afterAll(() => app.stop())

type One = { template: EmailTemplate }
const call = <T>(method: string, path: string, body?: object, actor = actors.administrator) =>
  app.call<T>(actor, method as 'POST', `/Messages/Templates${path}`, body)
const get = async (guid: string) => ok(await call<One>('GET', `/${guid}`)).template
const ofKind = async (kind: string) => {
  const { items } = ok(await call<{ items: { guid: string; isDefault: boolean }[] }>('GET', `?kind=${kind}&size=50`))
  return get(items.find(({ isDefault }) => isDefault)?.guid ?? '')
}
const words = (bodyHtml: string, more: Partial<TemplateTexts> = {}): TemplateTexts => ({
  ...{ subject: 'About {{ quote.number }}', preheader: '', button: 'View', bodyHtml },
  ...more,
})
let names = 0
const make = async (bodyHtml: string, more: object = {}) =>
  ok(
    await call<One>('POST', '', {
      kind: 'quote',
      name: `Made ${++names}`,
      languages: { en: words(bodyHtml) },
      ...more,
    }),
    201,
  ).template
const fieldsOf = (answer: { errors: { path: string; message: string }[] }) => answer.errors
const prove = async (guid: string, versionGuid: string): Promise<TemplateProof> => {
  const { proof: begun } = ok(await call<{ proof: TemplateProof }>('POST', `/Prove/${guid}`, { versionGuid }))
  expect(begun).toMatchObject({ state: 'running', done: 0 })
  await runProof(openCtx(systemRun(app.deps, 'test')), versionGuid)
  const proof = (await get(guid)).versions.find((version) => version.guid === versionGuid)?.proof
  if (!proof) throw new Error('no proof')
  return proof
}

describe('A template', () => {
  it('is there for every occasion, in use, in three languages', async () => {
    const { items } = ok(
      await call<{ items: { kind: string; status: string; isDefault: boolean; languages: string[] }[] }>(
        'GET',
        '?size=50',
      ),
    )
    expect(items.filter(({ isDefault }) => isDefault)).toHaveLength(16)
    expect(items.filter(({ isDefault }) => !isDefault).map(({ kind }) => kind)).toEqual(['reminder', 'reminder'])
    for (const item of items) expect(item).toMatchObject({ status: 'active', languages: ['en', 'fr', 'ar'] })
  })

  it('is kept clean, and its versions stay as they were', async () => {
    const made = await make(
      '<p onclick="x()">{% if quote.total &gt; 0 %}{{ quote.total | money }}{% endif %}</p><script>x</script>',
    )
    expect(made).toMatchObject({ status: 'draft', isDefault: false, active: null, latest: { number: 1 } })
    expect(made.latest.languages.en.bodyHtml).toBe(
      '<p>{% if quote.total > 0 %}{{ quote.total | money }}{% endif %}</p>',
    )
    const { template } = ok(
      await call<One>('PATCH', `/${made.guid}`, {
        version: 1,
        languages: { en: words('<p>Two</p>'), fr: words('<p>Deux</p>') },
      }),
    )
    expect(template.versions.map(({ number }) => number)).toEqual([2, 1])
    const same = ok(
      await call<One>('PATCH', `/${made.guid}`, { version: 2, name: 'Other', languages: template.latest.languages }),
    )
    expect(same.template).toMatchObject({ name: 'Other', latest: { number: 2 } })
    const late = await call('PATCH', `/${made.guid}`, { version: 1, name: 'Late' })
    expect(late.status).toBe(409)
  })

  it('asks for facts where it reads like an offer, and for a way to end offers', async () => {
    const languages = { en: words('<p>A <strong>special</strong> discount for you</p>') }
    const offer = await call('POST', '', {
      kind: 'general',
      name: 'Offer',
      languages: { en: { ...languages.en, subject: 'x' } },
    })
    expect(fieldsOf(offer)).toEqual([
      { path: 'languages.en.bodyHtml', message: 'This reads like an offer. Is it only facts?' },
    ])
    const facts = await call<One>('POST', '', { kind: 'quote', name: 'Facts', isFactsOnly: true, languages })
    const factual = ok(facts, 201).template
    const unsaid = await call('PATCH', `/${factual.guid}`, { version: 1, isFactsOnly: false })
    expect(fieldsOf(unsaid)).toEqual(fieldsOf(offer))
    const unended = await call('POST', '', { kind: 'general', name: 'Offer', category: 'commercial', languages })
    expect(fieldsOf(unended)).toEqual([
      { path: 'languages.en.bodyHtml', message: 'Offers need a link that ends them. Insert {{ unsubscribe_link }}.' },
    ])
    const ended = { en: words('<p>Sale! <a href="{{ unsubscribe_link }}">Unsubscribe</a></p>', { subject: 'Sale' }) }
    const made = await call<One>('POST', '', {
      kind: 'general',
      name: 'Offer',
      category: 'commercial',
      languages: ended,
    })
    expect(ok(made, 201).template.purpose).toBe('marketing')
    // Parts of words are no words.
    const whole = { en: words('<p>Our officer dealt with it at the salesroom.</p>') }
    expect((await call('POST', '', { kind: 'quote', name: 'Whole', languages: whole })).status).toBe(201)
  })

  it('is seen as it would go out for a record, with values that cannot become tags or templates', async () => {
    const made = await make('<p>Hello {{ customer.name }}, {{ quote.total | money }}</p><p>{{ note }}</p>')
    const shown = ok(
      await call<TemplatePreview>('POST', `/Preview/${made.guid}`, { recordGuid: quoteGuid, language: 'en' }),
    )
    expect(shown.problems).toEqual([])
    expect(shown.html).toContain('Hello &lt;b&gt;Jo &amp; {{ Co }}&lt;/b&gt;, $')
    expect(shown.text).toContain('Hello <b>Jo & {{ Co }}</b>, $')
    expect(shown.subject).toMatch(/^About Q/)
    const draft = words('<p>{{ quote.totall }}</p>')
    const wrong = ok(await call<TemplatePreview>('POST', `/Preview/${made.guid}`, { language: 'fr', draft }))
    expect(wrong.problems).toEqual([
      {
        ...{ language: 'fr', part: 'bodyHtml', line: 1, at: 'quote.totall', record: null },
        message: 'There is no `quote.totall`. Did you mean `quote.total`?',
      },
    ])
    const foreign = await call('POST', `/Preview/${made.guid}`, { recordGuid: made.guid, language: 'en' })
    expect(foreign.status).toBe(404)
  })

  it.each([
    [
      '<p>One</p><p>{% if quote.deposit > 0 %}two</p><p>three{% endif %}</p>',
      2,
      'This block begins inside one element and ends in another.',
    ],
    [
      '<ul>{% for line in quote.lines %}<li>{{ line.name }}{% endfor %}</li></ul>',
      1,
      'This block begins inside one element and ends in another.',
    ],
    ['<p>{% if quote.total > 0 %}</p>', 1, 'Close `{% if %}` with `{% endif %}`.'],
    ['<p>{% for i in (1..99999999) %}x{% endfor %}</p>', 1, 'Ranges can’t be used here. Repeat over a list.'],
    ['<p>A</p><p>{{ line.name }}</p>', 2, 'There is no `line.name`. Did you mean `site.name`?'],
  ])('%s says what is wrong, and where', async (bodyHtml, line, message) => {
    const made = await make('<p>x</p>')
    const draft = words(bodyHtml)
    const { problems } = ok(await call<TemplatePreview>('POST', `/Preview/${made.guid}`, { language: 'en', draft }))
    expect(problems[0]).toMatchObject({ part: 'bodyHtml', line, message })
  })

  it('is told all its problems at once, by the paragraphs that a person counts', async () => {
    const made = await make('<p>x</p>')
    const bodyHtml =
      '<p></p><p>One\n{{ customer.nmae }}<br>{{ customer }}</p><p>{% if quote.total %}two</p><p>3{% endif %}</p>'
    const draft = words(bodyHtml, { subject: '{{ a.b }} {{ c.d }}' })
    const asked = { language: 'en', draft }
    const { problems } = ok(await call<TemplatePreview>('POST', `/Preview/${made.guid}`, asked))
    expect(problems.map(({ part, line, at }) => [part, line, at])).toEqual([
      ['subject', 1, 'a.b'],
      ['subject', 1, 'c.d'],
      ['bodyHtml', 1, 'customer.nmae'],
      ['bodyHtml', 1, 'customer'],
      ['bodyHtml', 2, '{% if quote.total %}'],
    ])
    const refused = await call('POST', `/Test/${made.guid}`, asked)
    expect(fieldsOf(refused).map(({ path }) => path)).toEqual([
      ...['draft.subject', 'draft.subject', 'draft.bodyHtml', 'draft.bodyHtml', 'draft.bodyHtml'],
    ])
    const french = { 'accept-language': 'fr' }
    const path = `/Messages/Templates/Preview/${made.guid}`
    const told = ok(await app.call<TemplatePreview>(actors.administrator, 'POST', path, asked, french)).problems
    expect(told[2]?.message).toBe('« customer.nmae » n’existe pas. Vouliez-vous dire « customer.name » ?')
  })

  it('is activated when it was checked against all records, and goes back to what was in use', async () => {
    const template = await ofKind('quote')
    const first = template.latest.guid
    const { template: second } = ok(
      await call<One>('PATCH', `/${template.guid}`, {
        version: template.version,
        languages: { en: words('<p>Total {{ quote.total | money }} for {{ site.name | default: title }}</p>') },
      }),
    )
    const activating = (version: number, versionGuid = second.latest.guid) =>
      call<One>('POST', `/Activate/${template.guid}`, { version, versionGuid })
    const unchecked = await activating(second.version)
    expect(fieldsOf(unchecked)[0]?.message).toBe('Check this version against all records first.')
    expect(await prove(template.guid, second.latest.guid)).toMatchObject({ state: 'passed', done: 1, total: 1 })
    // Sent meanwhile: it is rendered again, and its words are those in use.
    const customer = await aCustomer(app, actors.office)
    await aSentQuote(app, actors.office, customer.guid)
    const active = ok(await activating((await get(template.guid)).version)).template
    expect(active.active?.number).toBe(2)
    await aSentQuote(app, actors.office, customer.guid)
    await composeMessages(app)
    const newest = await app.deps.db
      .selectFrom('messages')
      .selectAll()
      .orderBy('guid', 'desc')
      .limit(1)
      .executeTakeFirst()
    expect(newest?.bodyText).toMatch(/^Total \$[\d.,]+ for Pool fence/)
    expect(newest?.subject).toMatch(/^About Q/)
    const back = ok(
      await call<One>('POST', `/Rollback/${template.guid}`, { version: active.version, versionGuid: first }),
    ).template
    expect(back.active?.number).toBe(1)
  })

  it('that fails for a record is refused, and names the record', async () => {
    const made = await make('<p>{% if quote.total %}<strong>{% endif %}x</strong></p>')
    expect(await prove(made.guid, made.latest.guid)).toMatchObject({
      state: 'failed',
      problems: [{ message: 'This block begins inside one element and ends in another.' }],
    })
    const deep = (inner: string, depth: number): string =>
      depth === 0 ? inner : `{% for a${depth} in quote.lines %}${deep(inner, depth - 1)}{% endfor %}`
    const { template } = ok(
      await call<One>('PATCH', `/${made.guid}`, {
        version: made.version,
        languages: { en: words(`<p>${deep('x', 2)}</p>`) },
      }),
    )
    const proof = await prove(made.guid, template.latest.guid)
    expect(proof.state).toBe('passed')
    const other = await call('POST', `/Prove/${made.guid}`, { versionGuid: quoteGuid })
    expect(other.status).toBe(404)
  })

  it('tells which variables leave a gap for which records, and may be used nonetheless', async () => {
    const said = '<p>{{ deposit }}</p><p>For {{ quote.title }} at {{ customer.email }}, {{ quote.number }}</p>'
    const made = await make(`${said}<p>{{ site.line1 | default: 'here' }}</p><p>Hello {{ note }}</p>`)
    const elsewhere = await aCustomer(app, actors.office)
    const first = await aSentQuote(app, actors.office, elsewhere.guid)
    const { guid, number } = await aSentQuote(app, actors.office, elsewhere.guid)
    // A draft is newer, and no example: what it lacks may come with sending.
    const draft = await aQuote(app, actors.office, elsewhere.guid)
    await app.deps.db.updateTable('customers').set({ email: null }).where('guid', '=', elsewhere.guid).execute()
    const proof = await prove(made.guid, made.latest.guid)
    expect(proof).toMatchObject({ state: 'passed', failed: 0, problems: [] })
    const example = { guid, label: number }
    const second = { guid: first.guid, label: first.number }
    expect(proof.blanks).toEqual([
      { variable: 'customer.email', records: 3, example, others: [second, { guid: draft.guid, label: 'Pool fence' }] },
      { variable: 'note', records: proof.total, example, others: [second, expect.anything()] },
    ])
    ok(await call<One>('POST', `/Activate/${made.guid}`, { version: 1, versionGuid: made.latest.guid }))
  })

  it('that every business begins with leaves no gap', async () => {
    for (const kind of ['quote', 'quote_followup', 'general']) {
      const { guid, latest } = await ofKind(kind)
      const proof = await prove(guid, latest.guid)
      expect([kind, proof.state, proof.blanks]).toEqual([kind, 'passed', []])
    }
  })

  it('is used on its occasion only where it is no offer', async () => {
    const said = '<p>Sale! <a href="{{ unsubscribe_link }}">Unsubscribe</a></p>'
    const languages = { en: words(said, { subject: 'Sale' }) }
    const offer = { kind: 'welcome', name: 'Offer on its occasion', category: 'commercial', languages }
    const { template } = ok(await call<One>('POST', '', offer), 201)
    const { guid } = template
    await prove(guid, template.latest.guid)
    ok(await call('POST', `/Activate/${guid}`, { version: 1, versionGuid: template.latest.guid }))
    const chosen = await call('PATCH', `/${guid}`, { version: 2, isDefault: true })
    expect([chosen.status, chosen.message]).toEqual([409, 'An offer can’t be the default template.'])
    const used = await ofKind('welcome')
    const turned = { version: used.version, category: 'commercial', languages }
    const refused = await call('PATCH', `/${used.guid}`, turned)
    expect([refused.status, refused.message]).toEqual([409, 'Make another template the default first.'])
    expect(await get(used.guid)).toMatchObject({ isDefault: true, category: 'transactional', latest: { number: 1 } })
  })

  it('makes way for another of its occasion, and is archived only then', async () => {
    const template = await ofKind('order')
    expect((await call('DELETE', `/${template.guid}`)).status).toBe(409)
    const other = ok(await call<One>('POST', '', { kind: 'order', name: 'Another order' }), 201).template
    const early = await call('PATCH', `/${other.guid}`, { version: 1, isDefault: true })
    expect(early.status).toBe(409)
    await prove(other.guid, other.latest.guid)
    ok(await call('POST', `/Activate/${other.guid}`, { version: 1, versionGuid: other.latest.guid }))
    const chosen = ok(await call<One>('PATCH', `/${other.guid}`, { version: 2, isDefault: true })).template
    expect(chosen.isDefault).toBe(true)
    expect((await get(template.guid)).isDefault).toBe(false)
    ok(await call('DELETE', `/${template.guid}`))
    expect((await get(template.guid)).status).toBe('archived')
  })

  it('is tried in a mail program by whoever writes it, and that counts nowhere', async () => {
    const made = await make('<p>Hello {{ greeting }}</p>')
    const { messageGuid } = ok(
      await call<{ messageGuid: string }>('POST', `/Test/${made.guid}`, { language: 'en', recordGuid: quoteGuid }),
    )
    const row = await app.deps.db.selectFrom('messages').selectAll().where('guid', '=', messageGuid).executeTakeFirst()
    expect(row).toMatchObject({ isTest: true, status: 'queued', customerGuid: null, ownerType: null })
    expect(row?.bodyText).toContain('Hello ')
  })

  it('is nobody’s to see or change without the rights', async () => {
    const { guid } = await ofKind('invoice')
    expect((await call('GET', '', undefined, actors.emptyRole)).status).toBe(403)
    expect((await call('POST', `/Preview/${guid}`, { language: 'en' }, actors.emptyRole)).status).toBe(403)
  })
})

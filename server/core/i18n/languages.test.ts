import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actors, aGuest, seedActors } from '../../../test/support/actors.ts'
import { aBusiness, aCustomer, aLine, aSentQuote, ok } from '../../../test/support/factories.ts'
import { composeMessages } from '../../../test/support/messages.ts'
import { type Running, startApp } from '../../../test/support/start.ts'
import { lockedSentence } from '../../../contract/periods.ts'
import type { RenderData } from '../../documents/document.ts'
import { documentData } from '../../documents/documents.service.ts'
import { renderDocument } from '../../documents/render.ts'
import { moneyIn, percentIn, quantityIn, wordsIn } from './format.ts'
import { serverPhrases } from './phrases.ts'
import { languageOf, sayIn } from './sentences.ts'

type Tree = { [key: string]: string | Tree }
const flat = (tree: Tree, before = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[before + key, value] as [string, string]] : flat(value, `${before}${key}.`),
  )
const holes = (text: string) => [...new Set(text.match(/\{\{\s*\w+\s*\}\}/g))].toSorted().join(' ')
const plural = /_(zero|one|two|few|many|other)$/

/** The phrases that a language lacks, in any plural form it needs, and those with other values than in English. */
function lacking(language: 'fr' | 'ar', source: Tree, target: Tree): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const english = flat(source)
  const theirs = new Map(flat(target))
  const wanted = new Set(
    english.flatMap(([key]) => (plural.test(key) ? forms.map((form) => `${key.replace(plural, '')}_${form}`) : [key])),
  )
  const differing = english.filter(([key, text]) => !plural.test(key) && holes(theirs.get(key) ?? '') !== holes(text))
  const unknown = [...theirs.keys()].filter((key) => !plural.test(key) && !wanted.has(key.replace(/_feminine$/, '')))
  return [...[...wanted].filter((key) => !theirs.has(key)), ...differing.map(([key]) => key), ...unknown]
}

describe('the words of documents, messages and letters', () => {
  test.each(['fr', 'ar'] as const)('are all there in %s, with the same values', (language) => {
    expect(lacking(language, serverPhrases.en, serverPhrases[language])).toEqual([])
  })
  test.each(['fr', 'ar'] as const)('of the screens have every plural form that %s needs', (language) => {
    for (const file of globSync('web/core/i18n/en/*.json')) {
      const read = (name: string) => JSON.parse(readFileSync(name, 'utf8')) as Tree
      expect([file, lacking(language, read(file), read(file.replace('/en/', `/${language}/`)))]).toEqual([file, []])
    }
  })
  test.each([
    [
      'fr',
      '2026-08-15',
      '2026-09-30',
      'quarterly',
      'Période verrouillée : juillet à septembre 2026.',
      '1er octobre 2026',
    ],
    ['fr', '2026-01-01', '2026-06-30', 'annual', 'Période verrouillée : juillet 2025 à juin 2026.', '1er juillet 2026'],
    ['fr', '2026-08-01', '2026-08-15', 'quarterly', 'Tout est verrouillé jusqu’au 15 août 2026.', '16 août 2026'],
    ['fr', '2026-09-30', '2026-09-30', 'monthly', 'Période verrouillée : septembre 2026.', '1er octobre 2026'],
    ['ar', '2026-08-15', '2026-09-30', 'quarterly', 'الفترة يوليو إلى سبتمبر 2026 مقفلة.', '1 أكتوبر 2026'],
    ['ar', '2026-09-30', '2026-09-30', 'monthly', 'الفترة سبتمبر 2026 مقفلة.', '1 أكتوبر 2026'],
  ] as const)('name the locked period in %s: %s through %s', (language, day, through, cycle, begins, open) => {
    const said = sayIn(language, lockedSentence(day, through, cycle))
    expect(said.startsWith(begins)).toBe(true)
    expect(said).toContain(open)
    expect(said).not.toMatch(/[A-Z][a-z]+(ber|ly|ust)|\bis locked/)
  })
  test('leave a name alone that only has a month in it', () => {
    expect(sayIn('fr', 'The May 2026 Company is blocked. Unblock it to create documents.')).toBe(
      'The May 2026 Company est bloqué. Débloquez-le pour créer des documents.',
    )
  })
  test('write amounts, units and days as the language does, with latin digits', () => {
    expect(moneyIn('fr')(-123_456)).toBe('−1\u00a0234,56\u00a0$')
    expect(moneyIn('ar')(123_456)).toBe('\u200e$1,234.56')
    expect([wordsIn('fr').day('2026-08-01'), wordsIn('fr').day('2026-08-21'), wordsIn('ar').day('2026-08-01')]).toEqual(
      ['1er août 2026', '21 août 2026', '1 أغسطس 2026'],
    )
    const unit = (language: 'en' | 'fr' | 'ar', name: string, count: number) =>
      wordsIn(language).document(`lines.unit.${name}`, { count })
    expect([unit('en', 'day', 1), unit('en', 'hour', 2.5), unit('en', 'm', 3)]).toEqual(['day', 'hours', 'm'])
    expect([unit('fr', 'day', 1.5), unit('fr', 'day', 2), unit('ar', 'day', 3), unit('ar', 'day', 11)]).toEqual([
      'jour',
      'jours',
      'أيام',
      'يومًا',
    ])
    expect([percentIn('fr')(750), percentIn('en')(3000), quantityIn('fr')('2.5')]).toEqual(['7,5\u00a0%', '30%', '2,5'])
  })
})

describe('a refusal', () => {
  test('is said in the language of the caller, with its values', () => {
    expect(sayIn('fr', 'Use 40 characters or fewer.')).toBe('Utilisez 40 caractères au plus.')
    expect(sayIn('ar', 'An order that is on hold can’t be closed.')).toContain('«معلّق»')
    expect(sayIn('fr', 'Add at least one line with a price. Choose a customer.')).toBe(
      'Ajoutez au moins une ligne avec un prix. Choisissez un client.',
    )
  })
  test('stays as it is when it is not one of ours', () => {
    expect(sayIn('ar', 'read Orders:Preview:All')).toBe('read Orders:Preview:All')
    expect(sayIn('fr', 'Insufficient permissions')).toBe('Insufficient permissions')
  })
  test('takes the first language asked for that is spoken here', () => {
    expect([undefined, 'fr', 'de, ar;q=0.8', 'fr-CA,fr;q=0.9', 'xx'].map(languageOf)).toEqual([
      'en',
      'fr',
      'ar',
      'fr',
      'en',
    ])
  })
})

describe('a customer who reads another language', () => {
  let app: Running
  let people: Actors
  beforeAll(async () => {
    app = await startApp()
    people = await seedActors(app)
    await aBusiness(app)
  })
  afterAll(() => app.stop())
  const inArabic = { 'accept-language': 'ar' }

  test('is kept with that language, and one that is not said reads English', async () => {
    const read = async (facts: Record<string, unknown>) =>
      ok(
        await app.call<{ customer: { language: string } }>(
          people.office,
          'GET',
          `/Customers/${(await aCustomer(app, people.office, facts)).guid}`,
        ),
      ).customer.language
    expect([await read({}), await read({ language: 'ar' })]).toEqual(['en', 'ar'])
    expect((await app.call(people.office, 'POST', '/Customers', { displayName: 'x', language: 'de' })).status).toBe(422)
  })

  test('gets the mail, the page and the document in it', async () => {
    const customer = await aCustomer(app, people.office, { displayName: 'Atelier Martin', language: 'fr' })
    const quote = await aSentQuote(app, people.office, customer.guid, { title: 'Clôture' })
    await composeMessages(app)
    const mail = await app.deps.db
      .selectFrom('messages')
      .select(['subject', 'bodyText', 'bodyHtml'])
      .where('ownerGuid', '=', quote.guid)
      .executeTakeFirstOrThrow()
    expect(mail.subject).toContain(`Devis ${quote.number}`)
    expect(mail.bodyText).toContain('275,00\u00a0$ GST comprise')
    expect(mail.bodyHtml).toContain('lang="fr"')
    const page = ok(
      await app.call<{ quote: { customer: { language: string } } }>(
        await aGuest(app),
        'GET',
        `/Service/Quotes/${quote.serviceGuid}`,
      ),
    )
    expect(page.quote.customer.language).toBe('fr')
    expect((await documentData(app.deps.db, 'quote', quote.guid)).content.language).toBe('fr')
  })

  test('is refused nothing in English: message, fields and lines of a bulk deed', async () => {
    const refused = await app.call(people.office, 'POST', '/Customers', { displayName: ' ', email: 'nobody' }, inArabic)
    expect(refused.status).toBe(422)
    expect(refused.errors.find((e) => e.path === 'displayName')?.message).toBe('هذا الحقل مطلوب.')
    expect(refused.errors.find((e) => e.path === 'email')?.message).toBe('أدخل بريدًا إلكترونيًا صالحًا.')
    const customer = await aCustomer(app, people.office)
    const bulk = ok(
      await app.call<{ results: { message: string }[] }>(
        people.office,
        'POST',
        '/Customers/Bulk',
        { action: 'restore', guids: [customer.guid] },
        inArabic,
      ),
    )
    expect(bulk.results[0]?.message).toBe('هذا العميل غير مؤرشف.')
  })

  test('is greeted by a contact’s first name, else by his own; and reads the default language', async () => {
    const letterOf = async (facts: Record<string, unknown>) => {
      const customer = await aCustomer(app, people.office, { displayName: 'Tern Builders', ...facts })
      const quote = await aSentQuote(app, people.office, customer.guid)
      await composeMessages(app)
      const { bodyText } = await app.deps.db
        .selectFrom('messages')
        .select('bodyText')
        .where('ownerGuid', '=', quote.guid)
        .executeTakeFirstOrThrow()
      return bodyText?.split('\n')[0]
    }
    const contacts = [{ name: 'Bo Berg' }, { name: 'Anna Maria Hartmann', isPrimary: true }]
    expect([
      await letterOf({ contacts }),
      await letterOf({ contacts, language: 'fr' }),
      await letterOf({ contacts, language: 'ar' }),
    ]).toEqual(['Hello Anna,', 'Bonjour Anna,', 'مرحبًا Anna،'])
    expect(await letterOf({})).toBe('Hello Tern Builders,')
    const { settings } = app.deps
    settings.defaultLanguage = 'fr'
    expect([await letterOf({ contacts }), await letterOf({ contacts, language: 'en' })]).toEqual([
      'Bonjour Anna,',
      'Hello Anna,',
    ])
    settings.defaultLanguage = 'en'
  })

  test('gets a document that is written from right to left', async () => {
    const customer = await aCustomer(app, people.office, { displayName: 'Cormorant', language: 'ar' })
    const quote = await aSentQuote(app, people.office, customer.guid, {
      title: 'سياج المسبح',
      lines: [aLine({ name: 'ألواح' })],
    })
    const data = await documentData(app.deps.db, 'quote', quote.guid)
    const render: RenderData = {
      ...data,
      link: null,
      canPayByCard: false,
      acceptedOn: null,
      logo: null,
      signature: null,
    }
    const text = textOf(await renderDocument({ key: '', template: 'quote', data: { ...render } }))
    if (text === null) return
    const lineOf = (part: string) => text.split('\n').find((line) => line.includes(part)) ?? ''
    // The name of a line stands at the right, its amount at the left; what the program prints runs from left to right.
    expect(lineOf('ألواح').indexOf('$250.00')).toBeLessThan(lineOf('ألواح').indexOf('ألواح'))
    expect(lineOf('سياج المسبح')).toMatch(/^\s{40,}/)
    expect(lineOf('$275.00')).not.toBe('')
  })
})

/** What a reader of the document reads, as it lies on the page; null where the program for it is not installed. */
function textOf(pdf: Uint8Array): string | null {
  try {
    return execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' }).replace(
      /[\u200e\u200f\u202a-\u202e]/g,
      '',
    )
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

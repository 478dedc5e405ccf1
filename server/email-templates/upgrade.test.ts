import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { databaseBefore } from '../../test/support/before-migration.ts'
import { cleanBody } from '../core/html/body.ts'

test('Simple templates of before become first versions in use, messages of before stay byte for byte', async () => {
  const { db, migrateOn, drop } = await databaseBefore('email_templates')
  const business = randomUUID()
  await db.query(
    `insert into businesses (guid, legal_name, customers_of, catalogue_of) values ($1, 'Brolga', $1, $1)`,
    [business],
  )
  const templates = [
    ['quote', 'en', 'Quote {{number}}', 'Hello {{greeting}},\n\nTom & <Jerry> "said":\n{{note}}\n\n\nBye', 'View'],
    ['quote', 'fr', 'Devis {{number}}', 'Bonjour {{greeting}},', 'Voir'],
    ['receipt', 'en', 'Received', 'Thanks', null],
  ]
  for (const [kind, language, subject, body, button] of templates)
    await db.query(
      `insert into message_templates (guid, business_guid, kind, language, subject, body, button)
        values ($1, $2, $3, $4, $5, $6, $7)`,
      [randomUUID(), business, kind, language, subject, body, button],
    )
  const words = { html: '<html>\r\n<p>As it was: {{number}} &nbsp;\u00e9</p>', text: 'As it was\r\n\t{{number}}' }
  for (const status of ['sent', 'queued'])
    await db.query(
      `insert into messages (guid, business_guid, template, sender, recipients, subject, body_html, body_text, status,
        message_id, attachments, sent_at) values ($1, $2, 'quote', 'a@b.example', array['c@d.example'], 'Quote',
        $3, $4, $5::text, $6, '[]',
        case when $5::text = 'sent' then now() end)`,
      [randomUUID(), business, words.html, words.text, status, `<${randomUUID()}@b.example>`],
    )
  const kept = async () => (await db.query('select guid, md5(body_html || body_text) from messages order by guid')).rows
  const before = await kept()
  await migrateOn()
  expect(await kept()).toEqual(before)
  const { rows } = await db.query<{ languages: { en: { bodyHtml: string } } }>(
    `select t.kind, t.name, t.status, t.is_default, t.purpose, v.number, v.languages from templates t
      join template_versions v on v.guid = t.active_version_guid where t.kind <> 'reminder' order by t.kind`,
  )
  const quote = '<p>Hello {{greeting}},</p><p>Tom &amp; &lt;Jerry&gt; "said":<br />{{note}}</p><p>Bye</p>'
  const common = { status: 'active', is_default: true, number: 1 }
  const parts = { preheader: '' }
  expect(rows).toEqual([
    {
      ...common,
      ...{ kind: 'quote', name: 'Quote', purpose: 'bookings' },
      languages: {
        en: { ...parts, subject: 'Quote {{number}}', bodyHtml: quote, button: 'View' },
        fr: { ...parts, subject: 'Devis {{number}}', bodyHtml: '<p>Bonjour {{greeting}},</p>', button: 'Voir' },
      },
    },
    {
      ...common,
      ...{ kind: 'receipt', name: 'Receipt', purpose: 'billing' },
      languages: { en: { ...parts, subject: 'Received', bodyHtml: '<p>Thanks</p>', button: '' } },
    },
  ])
  expect(cleanBody(quote)).toBe(quote)
  await expect(db.query(`update template_versions set languages = '{"en":{}}'`)).rejects.toThrow('never changed')
  await expect(db.query('delete from template_versions')).rejects.toThrow('never changed')
  await drop()
})

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { configFor } from '../../test/support/cluster.ts'
import { freshDatabase } from '../../test/support/start-db.ts'
import { quiet } from '../core/console.ts'
import { migrate, readMigrations } from '../core/db/migrate.ts'
import { cleanBody } from '../core/html/body.ts'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../core/db/migrations')
const its = readMigrations(folder).find(({ name }) => name.endsWith('_email_templates'))?.number ?? 0

test('Simple templates of before become first versions in use, messages of before stay byte for byte', async () => {
  const { name: fresh, appRole, drop } = await freshDatabase()
  const name = `${fresh}_before`
  const all = new pg.Client(configFor(inject('cluster'), 'postgres'))
  await all.connect()
  await all.query(`create database ${name}`)
  const owner = configFor(inject('cluster'), name)
  await migrate(owner, appRole, quiet, { folder, upTo: its - 1 })
  const db = new pg.Client(owner)
  await db.connect()
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
  await migrate(owner, appRole, quiet, { folder })
  expect(await kept()).toEqual(before)
  const { rows } = await db.query<{ languages: { en: { bodyHtml: string } } }>(
    `select t.kind, t.name, t.status, t.is_default, t.purpose, v.number, v.languages from templates t
      join template_versions v on v.guid = t.active_version_guid order by t.kind`,
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
  await db.end()
  await all.query(`drop database ${name} with (force)`)
  await all.end()
  await drop()
})

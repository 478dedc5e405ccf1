import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMailbox } from '../support/mailbox.ts'
import { aMailServer } from '../support/mail-servers.ts'
import { aReceiver } from '../support/receivers.ts'
import { clearAway, type Headers, makeProduct, type Product, productFolder, setUpProduct } from '../support/process.ts'
import { inDatabase, letLeasesRunOut } from '../support/reconcile.ts'

/*
 * The product is killed while emails leave by an account: the server has one in its hands, another is on its way, the
 * rest wait. Like those of providers the server keeps what it takes in the Sent folder.
 */

const kills = process.env['FAULTS'] === 'full' ? 12 : 1
const messages = kills * 4

const dataDir = productFolder()
let product: Product
let staff: Headers
let mail: Awaited<ReturnType<typeof aMailServer>>
let mailbox: Awaited<ReturnType<typeof aMailbox>>
beforeAll(async () => {
  mail = await aMailServer()
  mailbox = await aMailbox()
  mail.rules.data = (raw) => {
    mailbox.sent(raw)
    return undefined
  }
  product = await makeProduct(dataDir, { OUTBOUND_ALLOW: '127.0.0.0/8' })
  await product.start()
  staff = await setUpProduct(product)
}, 60_000)
afterAll(async () => {
  await clearAway([product], dataDir)
  await Promise.all([mail.close(), mailbox.close()])
})

async function made<D>(path: string, body: object): Promise<D> {
  const { status, data, message } = await product.call<D>(staff, 'POST', path, body)
  if (status !== 201) throw new Error(`${path}: ${status} ${message}`)
  return data
}

const subjects = () =>
  mail.got.map(({ raw }) => /^Subject: (.+)$/im.exec(raw)?.[1]?.trim() ?? raw).filter((said) => said.startsWith('Day'))

/** Lets everybody's time pass, and asks for the queue. */
async function goOn() {
  await letLeasesRunOut(dataDir)
  await inDatabase(dataDir, (rows) => rows(`update messages set next_attempt_at = now() where status = 'deferred'`))
  await product.call(staff, 'GET', '/Cron/Process/Messages/Queue')
}

test(`of ${messages} emails each goes once, though the product is killed ${kills} times meanwhile`, async () => {
  const login = { kind: 'password', password: 'testpass' }
  await made('/EmailAccounts', {
    ...{ purpose: 'general', fromName: 'Office', fromAddress: 'office@faults.example' },
    ...{ smtp: mail.place(), imap: mailbox.place, auth: login, perMinuteCap: 500, dailyCap: 5000 },
  })
  const { customer } = await made<{ customer: { guid: string } }>('/Customers', {
    displayName: 'Anna Hartmann',
    email: 'anna@hartmann.example',
  })
  for (let n = 0; n < kills; n++) {
    const before = subjects().length
    for (let i = 0; i < messages / kills; i++)
      await made('/Messages', {
        ...{ customerGuid: customer.guid, intent: 'send', to: ['anna@hartmann.example'] },
        ...{ subject: `Day ${n}.${i}`, bodyHtml: '<p>We come at nine.</p>' },
      })
    await expect.poll(() => subjects().length, { interval: 2 }).toBeGreaterThan(before)
    await product.kill()
    await product.start()
  }
  const waiting = () =>
    inDatabase(dataDir, (rows) =>
      rows<{ subject: string; status: string }>(`select subject, status from messages where status <> 'sent'`),
    )
  for (let round = 0; round < 60 && (await waiting()).length > 0; round++) await goOn()
  expect(await waiting()).toEqual([])
  expect(subjects().toSorted()).toEqual([...new Set(subjects())].toSorted())
  expect(subjects()).toHaveLength(messages)
})

test('a webhook that is sent to when the product is killed is sent to again, and its first try counts', async () => {
  const receiver = await aReceiver()
  // The first one never gets an answer.
  receiver.rule.answer = (_request, response) => {
    if (receiver.got.length > 1) response.writeHead(204).end()
  }
  const { webhook } = await made<{ webhook: { guid: string } }>('/Webhooks', { name: 'Stock', url: receiver.url })
  const asking = product.call(staff, 'POST', `/Webhooks/Test/${webhook.guid}`, {})
  await expect.poll(() => receiver.got.length, { interval: 2 }).toBe(1)
  await product.kill()
  await asking
  await product.start()
  const rows = () =>
    inDatabase(dataDir, (ask) =>
      ask<{ guid: string; state: string; attempts: number }>('select guid, state, attempts from webhook_deliveries'),
    )
  const [held] = await rows()
  expect(held).toMatchObject({ state: 'waiting', attempts: 1 })
  await letLeasesRunOut(dataDir)
  await product.call(staff, 'POST', `/Webhooks/Retry/${held?.guid}`, {})
  await expect.poll(rows).toMatchObject([{ state: 'delivered', attempts: 2 }])
  const [first, second] = receiver.got
  expect([receiver.got.length, second?.body]).toEqual([2, first?.body])
  await receiver.close()
})

test('runs of an action that are under way when the product is killed do each of their effects once', async () => {
  const customers = 6
  const [template] = await inDatabase(dataDir, (ask) =>
    ask<{ guid: string }>(`select guid from templates where kind = 'general' and active_version_guid is not null`),
  )
  const tag = (name: string) => ({ type: 'tag', add: [name], remove: [] })
  const mailing = { type: 'message', templateGuid: template?.guid, to: 'customer', attachDocument: false }
  const { action } = await made<{ action: { guid: string; version: number } }>('/Events/Actions', {
    ...{ name: 'Welcome', eventKey: 'customer.created', effects: [tag('New'), mailing, tag('Told'), mailing] },
  })
  const { version } = action
  await product.call(staff, 'POST', `/Events/Actions/Status/${action.guid}`, { version, deed: 'activate' })
  const aCustomer = (name: string) => made('/Customers', { displayName: name, email: 'new@faults.example' })
  for (let n = 1; n < customers; n++) await aCustomer(`New ${n}`)
  const runs = () =>
    inDatabase(dataDir, (ask) =>
      ask<{ state: string; done: number; mails: number; tags: number }>(`select r.state, r.effects_done as done,
        (select count(*)::int from messages m where m.run_guid = r.guid) as mails,
        (select count(*)::int from record_tags t where t.record_guid = r.record_guid) as tags from action_runs r`),
    )
  await expect.poll(async () => (await runs()).some(({ done }) => done > 0), { interval: 2 }).toBe(true)
  await product.kill()
  for (const { done, mails } of await runs()) expect(mails).toBe(Math.floor(done / 2))
  await product.start()
  // Whatever happens next has everything taken up that still waits.
  await aCustomer(`New ${customers}`)
  const all = Array.from({ length: customers }, () => ({ state: 'done', done: 4, mails: 2, tags: 2 }))
  await expect.poll(runs, { timeout: 30_000 }).toEqual(all)
})

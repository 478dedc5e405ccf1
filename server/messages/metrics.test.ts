import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, type Actors, aPersonWho } from '../../test/support/actors.ts'
import { ok, startStaffed } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'
import { messageCounts, type MessageCount, type MessageMetrics } from '../../contract/message-metrics.ts'
import { newGuid } from '../core/guid.ts'

let app: Running
let actors: Actors
let anna: Actor
let businessGuid: string
/** Wednesday morning in Sydney, Tuesday evening in UTC. */
const now = new Date('2026-09-29T22:00:00Z')

beforeAll(async () => {
  ;({ app, actors } = await startStaffed({ now: () => now }))
  businessGuid = (await app.deps.db.selectFrom('businesses').select('guid').executeTakeFirstOrThrow()).guid
  anna = await aPersonWho(app, 'anna', [{ subject: 'Messages', action: 'read', conditions: { scope: 'own' } }])
  await written()
})
afterAll(() => app.stop())

interface Given {
  subject: string
  status?: string
  at: string
  direction?: 'out' | 'in'
  isTest?: boolean
  createdBy?: string
  /** When it came back. */
  bouncedAt?: string
  openedAt?: string
}

async function aMessage({ subject, status = 'sent', at, direction = 'out', bouncedAt, openedAt, ...more }: Given) {
  const guid = newGuid()
  const isSettled = ['sent', 'delivered', 'bounced', 'failed'].includes(status)
  await app.deps.db
    .insertInto('messages')
    .values({
      guid,
      businessGuid,
      direction,
      status: direction === 'in' ? 'received' : (status as 'sent'),
      ...(direction === 'in' ? { filing: 'unmatched' as const } : {}),
      sender: direction === 'in' ? 'anna@hartmann.example' : 'office@brolga.example',
      recipients: direction === 'in' ? ['office@brolga.example'] : ['anna@hartmann.example'],
      subject,
      bodyHtml: '<p>Hello</p>',
      bodyText: 'Hello',
      attachments: '[]',
      messageId: `<${guid}@brolga.example>`,
      createdAt: at,
      ...(isSettled ? { settledAt: at } : {}),
      ...(isSettled && status !== 'failed' ? { sentAt: at } : {}),
      isTest: more.isTest ?? false,
      createdBy: more.createdBy ?? null,
    })
    .execute()
  if (bouncedAt)
    await app.deps.db
      .updateTable('messageRecipients')
      .set({ state: 'bounced', at: bouncedAt })
      .where('messageGuid', '=', guid)
      .execute()
  if (openedAt) await app.deps.db.insertInto('messageViews').values({ messageGuid: guid, at: openedAt }).execute()
  return guid
}

/** The clocks of Sydney go forward on Sunday 4 October 2026, at 2:00 in the morning. */
async function written() {
  await aMessage({ subject: 'Sunday night before', at: '2026-09-27T13:59:59Z' })
  await aMessage({ subject: 'Monday from midnight', at: '2026-09-27T14:00:00Z' })
  await aMessage({ subject: 'Saturday’s last second', at: '2026-10-03T13:59:59Z' })
  await aMessage({ subject: 'Sunday from midnight', at: '2026-10-03T14:00:00Z', status: 'delivered' })
  await aMessage({ subject: 'Sunday’s last second', at: '2026-10-04T12:59:59Z' })
  await aMessage({ subject: 'Monday after', at: '2026-10-04T13:00:00Z' })
  await aMessage({ subject: 'Refused', at: '2026-09-28T03:00:00Z', status: 'failed' })
  await aMessage({
    subject: 'Came back',
    at: '2026-09-28T04:00:00Z',
    status: 'bounced',
    bouncedAt: '2026-09-30T04:00:00Z',
  })
  await aMessage({ subject: 'Kept back', at: '2026-09-28T05:00:00Z', status: 'suppressed' })
  await aMessage({ subject: 'Read', at: '2026-09-20T04:00:00Z', openedAt: '2026-09-29T04:00:00Z' })
  await aMessage({ subject: 'A reply', at: '2026-09-29T05:00:00Z', direction: 'in' })
  await aMessage({ subject: 'Only a test', at: '2026-09-29T05:00:00Z', isTest: true })
  await aMessage({ subject: 'Waits', at: '2026-09-29T05:00:00Z', status: 'queued' })
  await aMessage({ subject: 'Anna’s own', at: '2026-09-29T06:00:00Z', createdBy: anna.userGuid })
}

const metrics = async (which: 'Weekly' | 'Monthly', query = '', who: Caller = actors.office) =>
  ok(await app.call<MessageMetrics>(who, 'GET', `/Messages/Metrics/${which}${query}`))
interface Listed {
  items: { subject: string; from: string; to: string; direction: string; openedAt: string | null }[]
  page: { total: { value: number } }
}
const list = async (query: string, who: Caller = actors.office) =>
  ok(await app.call<Listed>(who, 'GET', `/Messages?size=100&${query}`))
const subjects = async (query: string) => (await list(query)).items.map(({ subject }) => subject).toSorted()
const countedOn = (counted: MessageCount, { from, to }: { from: string; to: string }) =>
  `counted=${counted}&countedOn.gte=${from}&countedOn.lte=${to}`

/** Every bar is as high as the list that it opens is long. */
async function expectBarsToBeTheirLists({ buckets, totals }: MessageMetrics, who: Caller = actors.office) {
  for (const counted of messageCounts) {
    for (const bucket of buckets)
      expect((await list(countedOn(counted, bucket), who)).page.total.value, `${counted} ${bucket.from}`).toBe(
        bucket[counted],
      )
    expect(buckets.reduce((sum, bucket) => sum + bucket[counted], 0)).toBe(totals[counted])
  }
}

describe('the week of a day', () => {
  it('runs from Monday to Sunday on the days of the business, and its bars are their lists', async () => {
    const week = await metrics('Weekly')
    expect(week.buckets.map(({ from, to }) => [from, to])).toEqual(
      ['2026-09-28', '2026-09-29', '2026-09-30', '2026-10-01', '2026-10-02', '2026-10-03', '2026-10-04'].map((day) => [
        day,
        day,
      ]),
    )
    expect(week.buckets[0]).toMatchObject({ sent: 2, failed: 1, bounced: 0 })
    expect(week.buckets[2]).toMatchObject({ sent: 0, bounced: 1 })
    expect(week.buckets[5]).toMatchObject({ sent: 1 })
    expect(week.buckets[6]).toMatchObject({ sent: 2 })
    expect(week.totals).toEqual({ sent: 6, failed: 1, bounced: 1, received: 1, opened: 1 })
    await expectBarsToBeTheirLists(week)
  })
  it('counts a bounced message as sent on its day, and as bounced on the day it came back', async () => {
    expect(await subjects('counted=bounced&countedOn.gte=2026-09-30&countedOn.lte=2026-09-30')).toEqual(['Came back'])
    expect(await subjects('counted=sent&countedOn.gte=2026-09-28&countedOn.lte=2026-09-28')).toEqual([
      'Came back',
      'Monday from midnight',
    ])
  })
  it('is another one for another day', async () => {
    const week = await metrics('Weekly', '?on=2026-10-05')
    expect(week.buckets[0]).toMatchObject({ from: '2026-10-05', sent: 1 })
    await expectBarsToBeTheirLists(week)
  })
})

describe('the month of a day', () => {
  it('is its weeks, of the first and the last what is in it', async () => {
    const month = await metrics('Monthly')
    expect(month.buckets.map(({ from, to }) => [from, to])).toEqual([
      ['2026-09-01', '2026-09-06'],
      ['2026-09-07', '2026-09-13'],
      ['2026-09-14', '2026-09-20'],
      ['2026-09-21', '2026-09-27'],
      ['2026-09-28', '2026-09-30'],
    ])
    expect(month.totals).toEqual({ sent: 5, failed: 1, bounced: 1, received: 1, opened: 1 })
    await expectBarsToBeTheirLists(month)
  })
  it('may be a February of four whole weeks, or of a leap year', async () => {
    expect((await metrics('Monthly', '?on=2027-02-14')).buckets).toHaveLength(4)
    expect((await metrics('Monthly', '?on=2028-02-29')).buckets.at(-1)).toMatchObject({
      from: '2028-02-28',
      to: '2028-02-29',
    })
  })
})

it('counts to nobody what he may not read', async () => {
  const own = await metrics('Weekly', '', anna)
  expect(own.totals).toEqual({ sent: 1, failed: 0, bounced: 0, received: 0, opened: 0 })
  await expectBarsToBeTheirLists(own, anna)
  expect(await app.call(actors.emptyRole, 'GET', '/Messages/Metrics/Weekly')).toMatchObject({ status: 403 })
})

it('refuses days that no calendar has, or that are out of bounds', async () => {
  for (const on of ['2026-02-30', '0050-01-01', '9999-12-31', 'monday'])
    expect(await app.call(actors.office, 'GET', `/Messages/Metrics/Monthly?on=${on}`)).toMatchObject({ status: 400 })
})

describe('the list', () => {
  it('covers what came in and what went out, and tells whom from and whom to', async () => {
    const received = await list('direction=in')
    expect(received.items).toMatchObject([{ subject: 'A reply', from: 'anna@hartmann.example', direction: 'in' }])
    expect((await list('direction=out')).items.every(({ direction }) => direction === 'out')).toBe(true)
  })
  it('hides tests until they are asked for', async () => {
    expect(await subjects('')).not.toContain('Only a test')
    expect(await subjects('isTest=true')).toEqual(['Only a test'])
  })
  it('finds what is not filed yet, and when somebody opened what', async () => {
    expect(await subjects('isUnmatched=true')).toEqual(['A reply'])
    expect(await subjects('isUnmatched=false')).not.toContain('A reply')
    expect((await list('counted=opened')).items).toMatchObject([
      { subject: 'Read', openedAt: '2026-09-29T04:00:00.000Z' },
    ])
  })
  it('takes days without a kind as those a message was settled on, or came in', async () => {
    expect(await subjects('countedOn.gte=2026-09-29&countedOn.lte=2026-09-29')).toEqual(['A reply', 'Anna’s own'])
  })
  it('takes its tiles from the same conditions', async () => {
    const tiles = ok(
      await app.call<{ waiting: number; failed: number; sentThisWeek: number; unmatched: number }>(
        actors.office,
        'GET',
        '/Messages/Metrics/StatusMetrics',
      ),
    )
    expect(tiles).toMatchObject({ waiting: 1, failed: 3, sentThisWeek: 6, unmatched: 1 })
    expect(tiles).toHaveProperty('week', { from: '2026-09-28', to: '2026-10-04' })
    expect((await list('status=queued,scheduled,sending,deferred')).page.total.value).toBe(tiles.waiting)
    expect((await list('status=failed,bounced,suppressed')).page.total.value).toBe(tiles.failed)
  })
})

it('tells of all businesses together on the days of each', async () => {
  await sql`update businesses set time_zone = 'Australia/Perth' where guid = ${businessGuid}::uuid`.execute(app.deps.db)
  await expectBarsToBeTheirLists(await metrics('Weekly', '?on=2026-09-30&business=all'))
})

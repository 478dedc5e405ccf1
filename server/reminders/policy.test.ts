import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { holdReasons, mostSteps, type ReminderHold, type RemindersToday } from '../../contract/reminders.ts'
import { type Actor, aPersonWho } from '../../test/support/actors.ts'
import { ok } from '../../test/support/factories.ts'
import { type Reminding, type ShownPolicy, start, startReminding } from '../../test/support/reminders.ts'

let r: Reminding
beforeAll(async () => {
  r = await startReminding()
})
afterAll(() => r.app.stop())
beforeEach(() => (r.clock.at = start))

describe('the ladder of a business', () => {
  it('is there from the beginning, turned off, with three templates', async () => {
    const { policy: first, templates } = await r.policy()
    expect(first).toMatchObject({ version: 1, isOn: false, sendAt: '09:00', minimumCents: 2000 })
    expect(first.startsOn).toBe('2026-02-02')
    expect(first.quiet).toEqual({ from: '19:00', to: '07:30', weekdays: [6, 7], holidays: true })
    expect(first.steps.map(({ days }) => days)).toEqual([-3, 1, 7, 14, 30])
    expect(new Set(first.steps.map(({ templateGuid }) => templateGuid)).size).toBe(3)
    const names = templates.map(({ name }) => name)
    expect(names).toEqual(['Reminder', 'Final reminder', 'Reminder before the due day'])
  })

  it('is changed part by part, and refuses what cannot be', async () => {
    const [one, two] = (await r.policy()).policy.steps
    if (!one || !two) throw new Error('no steps')
    expect(r.refusal(await r.save({ sendAt: '19:00' }))).toEqual([
      422,
      'sendAt',
      'Choose a time outside the quiet hours.',
    ])
    expect((await r.save({ sendAt: '07:29' })).status).toBe(422)
    const twice = await r.save({ steps: [one, two, { ...two, days: one.days }] })
    expect(r.refusal(twice)).toEqual([422, 'steps.2.days', 'Each step needs its own day.'])
    const stranger = await r.save({ steps: [{ days: 1, templateGuid: randomUUID() }] })
    expect(r.refusal(stranger).slice(0, 2)).toEqual([422, 'steps.0.templateGuid'])
    const never = await r.save({
      quiet: { from: '19:00', to: '07:30', weekdays: [1, 2, 3, 4, 5, 6, 7], holidays: true },
    })
    expect(r.refusal(never).slice(0, 2)).toEqual([422, 'quiet.weekdays'])
    expect(
      (await r.save({ steps: Array.from({ length: mostSteps + 1 }, (_, days) => ({ ...one, days })) })).status,
    ).toBe(422)
    expect((await r.save({ steps: [{ ...one, days: -61 }] })).status).toBe(422)
    const { policy: saved } = ok(await r.save({ sendAt: '07:30', steps: [two, one] }))
    expect(saved).toMatchObject({ sendAt: '07:30', steps: [one, two], minimumCents: 2000 })
    const stale = await r.app.call(r.office, 'PATCH', '/Reminders/Policy', { version: 1, sendAt: '10:00' })
    expect([stale.status, stale.error]).toEqual([409, 'STALE_VERSION'])
    ok(await r.save({ sendAt: '09:00' }))
  })

  it('begins on the day it is turned on, unless another one is named', async () => {
    await r.app.deps.db.updateTable('reminderPolicies').set({ startsOn: '2025-01-01' }).execute()
    expect(ok(await r.save({ minimumCents: 2000 })).policy.startsOn).toBe('2025-01-01')
    expect(ok(await r.save({ isOn: true })).policy).toMatchObject({ isOn: true, startsOn: '2026-02-02' })
    expect(ok(await r.save({ startsOn: '2026-03-10' })).policy.startsOn).toBe('2026-03-10')
  })

  it('has a step while it is on, and says so of a day where it has none', async () => {
    const { steps } = ok(await r.save({ isOn: true })).policy
    expect(r.refusal(await r.save({ steps: [] }))).toEqual([422, 'steps', 'Add a step, or turn reminders off.'])
    ok(await r.save({ steps: [], isOn: false }))
    const told = ok(await r.app.call<RemindersToday>(r.office, 'GET', '/Reminders/Today'))
    expect(told).toMatchObject({ hasSteps: false, isOn: false, isPaused: false })
    expect((await r.save({ isOn: true })).status).toBe(422)
    ok(await r.save({ steps, isOn: true }))
  })

  it('is read by who may, changed by the r.office, and another business’s is its own', async () => {
    ok(await r.app.call(r.actors.readOnly, 'GET', '/Reminders/Policy'))
    for (const path of ['/Reminders/Policy', '/Reminders/Holds', '/Reminders/Today'])
      expect((await r.app.call(r.actors.field, 'GET', path)).status).toBe(403)
    expect((await r.save({ isOn: false }, r.actors.readOnly)).status).toBe(403)
    expect((await r.save({ isOn: false }, r.actors.sales)).status).toBe(403)
    const sister = await r.app.call<{ business: { guid: string } }>(r.actors.administrator, 'POST', '/Businesses', {
      legalName: 'Sister Pty Ltd',
    })
    const there = { 'x-business-guid': ok(sister, 201).business.guid }
    const theirs = await r.app.call<ShownPolicy>(r.actors.administrator, 'GET', '/Reminders/Policy', undefined, there)
    expect(ok(theirs).policy).toMatchObject({ version: 1, isOn: false })
    const own = new Set((await r.policy()).templates.map(({ guid }) => guid))
    expect(ok(theirs).templates.some(({ guid }) => own.has(guid))).toBe(false)
    const borrowed = { version: 1, steps: (await r.policy()).policy.steps }
    const refused = await r.app.call(r.actors.administrator, 'PATCH', '/Reminders/Policy', borrowed, there)
    expect(refused.errors[0]?.path).toBe('steps.0.templateGuid')
  })
})

describe('a hold', () => {
  it('is put on a customer or an invoice, told of there, and lifted once', async () => {
    const whom = await r.customer()
    const bill = await r.invoice(whom, '2026-03-16')
    const { hold: whole } = ok(
      await r.hold({ customerGuid: whom.guid, until: '2026-04-20', note: 'Talks to Mia' }),
      201,
    )
    expect(whole).toMatchObject({ record: { guid: whom.guid, label: whom.name }, until: '2026-04-20', liftedAt: null })
    const { hold: one } = ok(await r.hold({ invoiceGuid: bill.guid, reason: 'disputed' }), 201)
    expect(one).toMatchObject({
      record: { label: bill.number },
      customerName: whom.name,
      until: null,
      customerGuid: null,
    })
    expect((await r.holds(`?customerGuid=${whom.guid}`)).map(({ guid }) => guid)).toEqual([one.guid, whole.guid])
    expect(await r.holds(`?invoiceGuid=${bill.guid}&isInForce=true`)).toHaveLength(2)
    const lift = (guid: string) =>
      r.app.call<{ hold: ReminderHold; isStillHeld: boolean }>(r.office, 'DELETE', `/Reminders/Holds/${guid}`)
    const { hold: lifted, isStillHeld } = ok(await lift(one.guid))
    expect(lifted.liftedAt).not.toBeNull()
    expect(isStillHeld, 'the customer is on hold').toBe(true)
    expect((await r.app.call(r.office, 'DELETE', `/Reminders/Holds/${one.guid}`)).error).toBe('INVALID_TRANSITION')
    expect(await r.holds(`?invoiceGuid=${bill.guid}&isInForce=false`)).toHaveLength(1)
    const lines = await r.app.deps.db
      .selectFrom('auditLog')
      .select(['action', 'entity'])
      .where('entityGuid', 'in', [whom.guid, bill.guid])
      .where('action', 'like', 'reminders.%')
      .orderBy('at')
      .orderBy('id')
      .execute()
    expect(lines.map(({ action, entity }) => `${action} ${entity}`)).toEqual([
      'reminders.held Customers',
      'reminders.held Invoices',
      'reminders.continued Invoices',
    ])
    const { hold: again } = ok(await r.hold({ invoiceGuid: bill.guid }), 201)
    expect(ok(await lift(whole.guid)).isStillHeld, 'one invoice alone is').toBe(false)
    expect(ok(await lift(again.guid)).isStillHeld).toBe(false)
  })

  it('names one record that there is, and a day to come', async () => {
    const whom = await r.customer()
    expect(r.refusal(await r.hold({})).slice(0, 2)).toEqual([422, 'customerGuid'])
    expect(r.refusal(await r.hold({ customerGuid: whom.guid, invoiceGuid: randomUUID() })).slice(0, 2)).toEqual([
      422,
      'invoiceGuid',
    ])
    expect(r.refusal(await r.hold({ invoiceGuid: randomUUID() })).slice(0, 2)).toEqual([422, 'invoiceGuid'])
    expect(r.refusal(await r.hold({ customerGuid: whom.guid, until: '2026-02-01' })).slice(0, 2)).toEqual([
      422,
      'until',
    ])
    ok(await r.hold({ customerGuid: whom.guid, until: '2026-02-02' }), 201)
  })

  it.each(holdReasons)('may have the reason %s', async (reason) => {
    const { guid: invoiceGuid } = await r.invoice(await r.customer(), '2026-03-16')
    expect(ok(await r.hold({ invoiceGuid, reason }), 201).hold.reason).toBe(reason)
  })

  it('is told only to who reads its record', async () => {
    const whom = await r.customer()
    ok(await r.hold({ customerGuid: whom.guid }), 201)
    const clerk: Actor = await aPersonWho(r.app, 'clerk', [
      { action: 'manage', subject: 'Reminders' },
      { action: 'read', subject: 'Customers', conditions: { scope: 'own' } },
      { action: 'read', subject: 'Invoices', conditions: { scope: 'own' } },
    ])
    expect(await r.holds('', clerk)).toEqual([])
    expect(r.refusal(await r.hold({ customerGuid: whom.guid }, clerk)).slice(0, 2)).toEqual([422, 'customerGuid'])
    const [there] = await r.holds(`?customerGuid=${whom.guid}`)
    expect((await r.app.call(clerk, 'DELETE', `/Reminders/Holds/${there?.guid}`)).status).toBe(404)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scheduledJob } from '../../server/messages/scheduled.ts'
import { reminderJob } from '../../server/reminders/ladder.ts'
import { aSecondApp } from '../support/factories.ts'
import { type Customer, type Reminding, start, startReminding } from '../support/reminders.ts'

const rounds = process.env['FAULTS'] === 'full' ? 20 : 2
const people = 4

let r: Reminding
let second: Awaited<ReturnType<typeof aSecondApp>>
beforeAll(async () => {
  r = await startReminding()
  second = await aSecondApp(r.app)
  await r.ladder()
})
afterAll(async () => {
  await second.close()
  await r.app.stop()
})

describe('two processes that remind at the same time', () => {
  it('send each reminder once, whoever plans it, does it and lets it go', async () => {
    for (let round = 0; round < rounds; round++) {
      r.clock.at = start
      const whom: Customer[] = []
      for (let i = 0; i < people; i++) {
        const one = await r.customer()
        whom.push(one)
        for (const cents of [5000, 7000]) await r.invoice(one, '2026-03-02', cents)
      }
      r.at('2026-03-03', '08:00')
      const keys = (await r.preview()).items.flatMap(({ do: isDue, key }) => (isDue ? key : []))
      expect(keys.length).toBe(people)
      const both = [r.app.deps, second.deps]
      // Each process does every reminder twice, beside a run of its own.
      const acts = await Promise.all(
        keys.flatMap((key) => [...both, ...both].map((deps) => reminderJob.act(deps, key))),
      )
      const runs = await Promise.all(both.map((deps) => reminderJob.run(deps)))
      expect(acts.filter(Boolean).length + runs.reduce((sum, run) => sum + run.succeeded, 0)).toBe(people)
      expect(runs.every(({ failed }) => failed === 0)).toBe(true)
      r.at('2026-03-03', '09:00')
      const mails = (await Promise.all(whom.map((one) => r.mails(one)))).flat()
      expect(mails.map(({ status }) => status)).toEqual(Array.from({ length: people }, () => 'scheduled'))
      const released = await Promise.all(
        mails.flatMap(({ guid }) => [...both, ...both].map((deps) => scheduledJob.act(deps, guid))),
      )
      expect(released.filter(Boolean)).toHaveLength(people)
      const after = (await Promise.all(whom.map((one) => r.mails(one)))).flat()
      expect(after.map(({ status }) => status)).toEqual(Array.from({ length: people }, () => 'queued'))
    }
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askAgain, newJournal, startWriters } from '../support/history.ts'
import { clearAway, type Headers, killDatabase, type Product, startProduct } from '../support/process.ts'
import {
  compare,
  compareMail,
  compareMoney,
  ledgerProblems,
  letLeasesRunOut,
  settleDown,
} from '../support/reconcile.ts'

/** `npm run prove` kills often and waits for every lease; `npm test` kills twice and lets their time pass. */
const isFull = process.env['FAULTS'] === 'full'
const kills = isFull ? { app: 20, database: 10, stops: 5 } : { app: 2, database: 2, stops: 1 }
const writers = 6
/** A charge that never reached the provider is given up after five minutes. */
const patienceSeconds = isFull ? 330 : 30

let dataDir: string
let product: Product
let staff: Headers
beforeAll(async () => {
  ;({ dataDir, product, staff } = await startProduct())
}, 60_000)
afterAll(() => clearAway([product], dataDir))

const journal = newJournal()
const answered = () => journal.deeds.filter((deed) => deed.answer).length
/**
 * Until the writers have had so many answers more: a kill comes in the midst of their work,
 * however slow the machine is.
 */
async function moreAnswers(count: number) {
  await expect.poll(answered, { interval: 10 }).toBeGreaterThanOrEqual(answered() + count)
}
const someAnswers = () => moreAnswers(10 + Math.floor(Math.random() * 40))
const tell = (text: string) => process.stdout.write(`${text}\n`)
const inSeconds = (times: number[]) => `${times.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s`

/** After the faults: whole or absent before anything is asked again, and afterwards everything once. */
async function reckon() {
  expect(journal.surprises).toEqual([])
  expect(await compare(dataDir, journal)).toEqual([])
  expect(await ledgerProblems(dataDir)).toEqual([])
  if (!isFull) await letLeasesRunOut(dataDir)
  expect((await askAgain(product, journal, patienceSeconds)).map(({ what, mark }) => `${what} ${mark}`)).toEqual([])
  if (!isFull) await product.call(staff, 'GET', '/Cron/Process/Messages/Queue')
  expect(await settleDown(dataDir, patienceSeconds)).toEqual([])
  expect(journal.surprises).toEqual([])
  expect(await compare(dataDir, journal)).toEqual([])
  expect(await compareMoney(product, dataDir)).toEqual([])
  expect(await compareMail(dataDir)).toEqual([])
  expect(await ledgerProblems(dataDir)).toEqual([])
}

describe(`the product is killed ${kills.app} times while people write`, () => {
  test('and nothing that was acknowledged is lost, done twice or left half done', async () => {
    const restarts: number[] = []
    for (let n = 0; n < kills.app; n++) {
      const writing = await startWriters(product, journal, staff, writers, `a${n}`)
      await someAnswers()
      await product.kill()
      await writing.stop()
      const startedAt = performance.now()
      await product.start()
      restarts.push(performance.now() - startedAt)
    }
    tell(
      `${journal.deeds.length} writes, ${journal.deeds.filter((d) => !d.answer).length} without an answer; ` +
        `ready again after ${inSeconds(restarts)}`,
    )
    expect(answered()).toBeGreaterThan(kills.app * 5)
    if (isFull) await reckon()
  })
})

/** Asks for a list all the time, as an open screen does, and notes what it is told. */
function startReader() {
  let isOver = false
  const seen = { slowestMs: 0, refused: 0, wrong: [] as string[] }
  const reading = (async () => {
    while (!isOver) {
      const reply = await product.call(staff, 'GET', '/Customers?size=2')
      seen.slowestMs = Math.max(seen.slowestMs, reply.ms)
      if (reply.status === 503 && reply.headers.get('retry-after')) seen.refused++
      else if (reply.status !== 200) seen.wrong.push(`${reply.status} ${reply.error} ${reply.message}`)
      await sleep(20)
    }
  })()
  return {
    seen,
    stop: async () => {
      isOver = true
      await reading
    },
  }
}

describe(`PostgreSQL is killed ${kills.database} times while people write`, () => {
  test('and the product says so, comes back by itself, and has lost nothing', async () => {
    const reader = startReader()
    const absences: number[] = []
    for (let n = 0; n < kills.database; n++) {
      const writing = await startWriters(product, journal, staff, writers, `d${n}`)
      await someAnswers()
      const refused = reader.seen.refused
      killDatabase(dataDir)
      const killedAt = performance.now()
      await expect.poll(() => reader.seen.refused, { interval: 10 }).toBeGreaterThan(refused)
      await expect.poll(() => product.isReady(), { interval: 50 }).toBe(true)
      absences.push(performance.now() - killedAt)
      await moreAnswers(1)
      await writing.stop()
    }
    const { seen } = reader
    await reader.stop()
    tell(
      `${journal.deeds.length} writes; back after ${inSeconds(absences)}; ${seen.refused} reads refused; ` +
        `slowest answer ${Math.round(Math.max(seen.slowestMs, journal.slowestMs))} ms`,
    )
    expect(seen.wrong).toEqual([])
    if (isFull) await reckon()
  })
})

describe(`the product is asked to stop ${kills.stops} times while people write`, () => {
  test('and finishes what it has taken, loses nothing, and ends with 0', async () => {
    const stops: number[] = []
    for (let n = 0; n < kills.stops; n++) {
      const writing = await startWriters(product, journal, staff, writers, `s${n}`)
      await someAnswers()
      const stoppedAt = performance.now()
      expect(await product.stop()).toBe(0)
      stops.push(performance.now() - stoppedAt)
      await writing.stop()
      await product.start()
    }
    tell(`ended after ${inSeconds(stops)}`)
    if (isFull) await reckon()
  })
})

test(
  'after all of it every acknowledged write is there once, the ledger in order, no mail or money lost or doubled',
  reckon,
)

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../contract/journal-entries.ts'
import type { LedgerAccount } from '../../contract/journal.ts'
import { ok, startBusiness } from '../../test/support/factories.ts'
import { keyed } from '../../test/support/start.ts'
import { verifyLedger } from '../ledger/verify.ts'

type Started = Awaited<ReturnType<typeof startBusiness>>
type Method = 'GET' | 'POST' | 'PATCH'
type Listed = JournalEntry
interface Entry {
  entry: {
    guid: string
    number: number
    postedOn: string
    source: string
    lines: { account: string; debitCents: number }[]
  }
}
let started: Started

beforeAll(async () => {
  started = await startBusiness({ now: () => new Date('2026-11-24T02:00:00Z') })
})
afterAll(() => started.app.stop())

const as =
  (who: 'accountant' | 'office' | 'field') =>
  <D = Record<string, unknown>>(method: Method, path: string, body?: unknown) =>
    started.app.call<D>(started.actors[who], method, path, body, keyed())
const accountant = <D = Record<string, unknown>>(method: Method, path: string, body?: unknown) =>
  as('accountant')<D>(method, path, body)
const chartOf = async () => {
  const { accounts } = ok(await accountant<{ accounts: LedgerAccount[] }>('GET', '/Journal/Accounts'))
  return (code: string) => {
    const found = accounts.find((account) => account.code === code)
    if (!found) throw new Error(`there is no account ${code}`)
    return found
  }
}
const moved = async (debit: string, credit: string, cents = 1250, more: Record<string, unknown> = {}) => {
  const at = await chartOf()
  return accountant<Entry>('POST', '/Journal', {
    postedOn: '2026-11-20',
    narrative: 'Bank fees of October',
    lines: [
      { accountGuid: at(debit).guid, debitCents: cents },
      { accountGuid: at(credit).guid, creditCents: cents },
    ],
    ...more,
  })
}

describe('an entry by hand', () => {
  it('moves accounts that follow no documents, and their ledgers say so', async () => {
    const { entry } = ok(await moved('6100', '1000'), 201)
    expect(entry).toMatchObject({
      postedOn: '2026-11-20',
      source: 'manual',
      lines: [
        { account: '6100', accountName: 'Card fees', debitCents: 1250, creditCents: 0 },
        { account: '1000', accountName: 'Bank', debitCents: 0, creditCents: 1250 },
      ],
    })
    const at = await chartOf()
    expect(at('6100').balanceCents).toBe(1250)
    const balance = ok(await accountant('GET', '/Journal/TrialBalance?on=2026-11-20'))
    expect(balance).toMatchObject({ on: '2026-11-20', totals: { debitCents: 1250, creditCents: 1250 } })
    expect(ok(await accountant('GET', '/Journal/TrialBalance?on=2026-11-19')).totals).toEqual({
      debitCents: 0,
      creditCents: 0,
    })
    const path = `/Journal/Ledger/${at('1000').guid}`
    expect(ok(await accountant('GET', `${path}?from=2026-11-01&to=2026-11-30`))).toMatchObject({
      openingCents: 0,
      closingCents: -1250,
      rowCount: 1,
      rows: [{ on: '2026-11-20', text: 'Bank fees of October', creditCents: 1250, balanceCents: -1250 }],
    })
    expect(ok(await accountant('GET', `${path}?from=2026-11-21`))).toMatchObject({ openingCents: -1250, rows: [] })
    expect((await verifyLedger(started.app.deps.db)).problems).toEqual([])
  })

  it('is refused where it does not balance, follows documents, or is of another day or business', async () => {
    const at = await chartOf()
    const lines = [
      { accountGuid: at('6100').guid, debitCents: 2000 },
      { accountGuid: at('1000').guid, creditCents: 800 },
    ]
    const refused = async (answer: ReturnType<typeof moved>) => (await answer).errors
    expect(await refused(moved('6100', '1000', 1, { lines }))).toEqual([{ path: 'lines', message: 'Out by $12.00.' }])
    expect(await refused(moved('1100', '1000'))).toEqual([
      {
        path: 'lines.0.accountGuid',
        message: 'Accounts receivable follows its documents. Record a payment, note or write-off.',
      },
    ])
    expect(await refused(moved('6100', '1000', 1250, { postedOn: '2026-11-25' }))).toEqual([
      { path: 'postedOn', message: 'Choose today or an earlier date.' },
    ])
    expect((await refused(moved('6100', '1000', 1250, { postedOn: '2019-01-01' })))[0]?.path).toBe('postedOn')
    const both = [{ accountGuid: at('6100').guid, debitCents: 5, creditCents: 5 }, lines[1]]
    expect((await moved('6100', '1000', 1, { lines: both })).status).toBe(422)
    const strange = [{ ...lines[0], customerGuid: started.actors.office.userGuid }, lines[1]]
    expect((await refused(moved('6100', '1000', 1, { lines: strange })))[0]?.path).toBe('lines.0.customerGuid')
    const nowhere = [{ accountGuid: started.customerGuid, debitCents: 800 }, lines[1]]
    expect((await refused(moved('6100', '1000', 1, { lines: nowhere })))[0]?.path).toBe('lines.0.accountGuid')
    expect((await as('office')('POST', '/Journal', {})).status).toBe(403)
    expect((await as('field')('GET', '/Journal/TrialBalance')).status).toBe(403)
  })

  it('is reversed once, however many ask at once, and nothing else is', async () => {
    const { entry } = ok(await moved('6900', '4000', 300), 201)
    const asked = { reason: 'Entered twice' }
    const many = await Promise.all(
      Array.from({ length: 50 }, () => accountant<Entry>('POST', `/Journal/Reverse/${entry.guid}`, asked)),
    )
    expect(many.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([201, 409]))
    const mirror = many.find(({ status }) => status === 201)?.data.entry
    const listed = ok(
      await accountant<{ items: Listed[] }>('GET', '/Dev/BankingJournals?search=Bank%20fees&sort=-number&size=2'),
    ).items
    expect(listed).toMatchObject([
      {
        number: mirror?.number,
        document: null,
        reverses: { number: entry.number, reasonCode: null, reason: 'Entered twice' },
        reversedBy: null,
      },
      {
        number: entry.number,
        isReversible: false,
        reverses: null,
        reversedBy: { number: mirror?.number, on: '2026-11-24', reasonCode: null, reason: 'Entered twice' },
      },
    ])
    expect(mirror).toMatchObject({
      source: 'reversal',
      postedOn: '2026-11-24',
      lines: [
        { account: '6900', creditCents: 300 },
        { account: '4000', debitCents: 300 },
      ],
    })
    const again = await accountant('POST', `/Journal/Reverse/${mirror?.guid}`, asked)
    expect([again.status, again.message]).toEqual([409, 'This entry is a reversal itself.'])
    const early = ok(await moved('6900', '4000', 100), 201).entry
    expect((await accountant('POST', `/Journal/Reverse/${early.guid}`, { ...asked, on: '2026-11-19' })).errors).toEqual(
      [{ path: 'on', message: 'Choose 20-11-2026 or later.' }],
    )
    expect((await verifyLedger(started.app.deps.db)).problems).toEqual([])
  })
})

describe('accounts of one’s own', () => {
  it('have a code of their own, take entries until they are closed, and keep their code', async () => {
    const made = ok(
      await accountant<{ account: LedgerAccount }>('POST', '/Journal/Accounts', {
        code: '6300',
        name: 'Vehicle costs',
        type: 'expense',
      }),
      201,
    ).account
    const twice = await accountant('POST', '/Journal/Accounts', { code: '6300', name: 'Other', type: 'asset' })
    expect([twice.status, twice.errors]).toEqual([409, [{ path: 'code', message: 'Another account has this code.' }]])
    ok(await moved('6300', '1000', 700), 201)
    const patch = (body: object) =>
      accountant<{ account: LedgerAccount }>('PATCH', `/Journal/Accounts/${made.guid}`, body)
    const closed = ok(await patch({ version: made.version, name: 'Vehicles', isActive: false })).account
    expect(closed).toMatchObject({ code: '6300', name: 'Vehicles', isActive: false, balanceCents: 700 })
    expect((await patch({ version: made.version, name: 'Cars' })).status).toBe(409)
    expect((await moved('6300', '1000')).errors[0]?.message).toBe('Vehicles is closed. Choose another account.')
  })
})

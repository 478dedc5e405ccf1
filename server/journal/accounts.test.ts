import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountRoles, chart } from '../../contract/ledger.ts'
import { startBusiness } from '../../test/support/factories.ts'

type Started = Awaited<ReturnType<typeof startBusiness>>
let started: Started

beforeAll(async () => {
  started = await startBusiness()
})
afterAll(() => started.app.stop())

describe('the chart of accounts', () => {
  it('is there from the first day, one account for each role', async () => {
    const rows = await started.app.deps.db
      .selectFrom('accounts')
      .select(['role', 'code', 'name', 'type'])
      .orderBy('code')
      .execute()
    expect(rows).toEqual(
      accountRoles.map((role) => ({ role, ...chart[role] })).toSorted((a, b) => a.code.localeCompare(b.code)),
    )
  })

  it('keeps code, type and role, and no account goes', async () => {
    const { db } = started.app.deps
    const bank = () => db.updateTable('accounts').where('code', '=', '1000')
    await bank().set({ name: 'Everyday account' }).execute()
    for (const change of [{ code: '1999' }, { type: 'expense' }, { role: null }] as const)
      await expect(bank().set(change).execute()).rejects.toThrow(/keeps its code, type and role/)
    await expect(db.deleteFrom('accounts').where('code', '=', '1000').execute()).rejects.toThrow(/accounts stay/)
  })
})

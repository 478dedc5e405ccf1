import { randomInt } from 'node:crypto'
import type { OpenCtx } from '../core/ctx.ts'
import type { Deps } from '../core/deps.ts'
import { keyedHash, seal, unseal } from '../core/secrets.ts'
import { stepOfCode } from '../core/totp.ts'
import { type Account, lockAccount } from './auth.queries.ts'

const recoveryCount = 10
/** Without letters and digits that look alike. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

const purposeOf = (userGuid: string) => `two-step:${userGuid}`
export const sealSecret = (deps: Pick<Deps, 'keys'>, userGuid: string, secret: string) =>
  seal(deps.keys, secret, purposeOf(userGuid))
export const openSecret = (deps: Pick<Deps, 'keys'>, userGuid: string, sealed: string) =>
  unseal(deps.keys, sealed, purposeOf(userGuid))

const spelled = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '')
const hashOf = (deps: Pick<Deps, 'keys'>, userGuid: string, code: string) =>
  keyedHash(deps.keys, `recovery:${userGuid}:${spelled(code)}`)

/** Ten codes for the day the phone is lost, and what is kept of them. */
export function newRecoveryCodes(deps: Pick<Deps, 'keys'>, userGuid: string): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: recoveryCount }, () =>
    Array.from(
      { length: 12 },
      (_, i) => `${i > 0 && i % 4 === 0 ? '-' : ''}${letters[randomInt(letters.length)]}`,
    ).join(''),
  )
  return { codes, hashes: codes.map((code) => hashOf(deps, userGuid, code)) }
}

/** Whether a second factor is right; whatever it is, it is used up by that. Tells which it was. */
export function spendCode(
  ctx: OpenCtx,
  account: Pick<Account, 'guid' | 'twoStepSecret'>,
  given: string,
): Promise<'app' | 'recovery' | null> {
  return ctx.tx(async (tx) => {
    const row = await lockAccount(tx.db, account.guid)
    if (!row?.twoStepSecret) return null
    const code = given.replace(/\s/g, '')
    const step = stepOfCode(openSecret(tx.deps, row.guid, row.twoStepSecret), code, tx.now, row.twoStepUsed)
    if (step !== null) {
      await tx.db.updateTable('users').set({ twoStepUsed: step }).where('guid', '=', row.guid).execute()
      return 'app'
    }
    const hash = hashOf(tx.deps, row.guid, code)
    if (spelled(code).length < 12 || !row.recoveryHashes.includes(hash)) return null
    await tx.db
      .updateTable('users')
      .set({ recoveryHashes: row.recoveryHashes.filter((known) => known !== hash) })
      .where('guid', '=', row.guid)
      .execute()
    tx.audit({
      action: 'user.recovery_code_used',
      entity: 'Users',
      guid: row.guid,
      after: { left: row.recoveryHashes.length - 1 },
    })
    return 'recovery'
  })
}

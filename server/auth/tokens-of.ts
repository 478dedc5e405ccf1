import type { UserData } from '../../contract/auth.ts'
import type { Deps } from '../core/deps.ts'
import { tokenMinutes } from '../core/tokens.ts'
import { type Account, readPreferences } from './auth.queries.ts'

export const userDataOf = (deps: Pick<Deps, 'settings'>, account: Account): UserData => ({
  guid: account.guid,
  authID: account.authId,
  name: account.name,
  email: account.email,
  roleName: account.roleName,
  preferences: { ...readPreferences(account.preferences), zone: account.zone ?? deps.settings.timeZone },
})

interface Issue {
  sessionGuid: string
  apiGuid: string
  roleGuid: string
  renewableUntil: Date
  account: Account | null
}

/** The two headers a caller sends from now on. No token outlives the session it belongs to. */
export async function issueHeaders(deps: Pick<Deps, 'tokens' | 'settings'>, now: Date, issue: Issue) {
  const iat = Math.floor(now.getTime() / 1000)
  const last = Math.floor(issue.renewableUntil.getTime() / 1000)
  const token = await deps.tokens.sign({
    sid: issue.sessionGuid,
    roleGUID: issue.roleGuid,
    ...(issue.account ? { userData: userDataOf(deps, issue.account) } : {}),
    isRenewAllowed: last > iat + tokenMinutes * 60,
    iat,
    exp: Math.min(iat + tokenMinutes * 60, last),
  })
  return { headers: { Authorization: `Bearer ${token}`, 'X-Api-Guid': issue.apiGuid } }
}

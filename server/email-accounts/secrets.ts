import type { Keys } from '../core/keys.ts'
import { seal, unseal } from '../core/secrets.ts'

/** What a secret is for. One that was moved to another account, or to another protocol, cannot be opened. */
type SecretOf = 'smtp' | 'imap' | 'refresh' | 'access'

const purposeOf = (guid: string, of: SecretOf) => `email-account:${guid}:${of}`

export const sealSecret = (keys: Pick<Keys, 'encryption'>, guid: string, of: SecretOf, secret: string): string =>
  seal(keys, secret, purposeOf(guid, of))

/** The secret; null where it was sealed with another key, or for something else. */
export function openSecret(keys: Pick<Keys, 'encryption'>, guid: string, of: SecretOf, sealed: string): string | null {
  try {
    return unseal(keys, sealed, purposeOf(guid, of))
  } catch {
    return null
  }
}

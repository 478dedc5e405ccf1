import { createHmac, randomBytes } from 'node:crypto'
import type { Keys } from '../core/keys.ts'
import { seal, unseal } from '../core/secrets.ts'

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`

const sealedTo = (guid: string) => `webhook:${guid}`

export const sealSecret = (keys: Pick<Keys, 'encryption'>, guid: string, secret: string): string =>
  seal(keys, secret, sealedTo(guid))

/** The secret; null where it was sealed with another key, or for another webhook. */
export function openSecret(keys: Pick<Keys, 'encryption'>, guid: string, sealed: string): string | null {
  try {
    return unseal(keys, sealed, sealedTo(guid))
  } catch {
    return null
  }
}

/** The header that proves a body: the second it was signed, and one signature for each secret that counts. */
export function signatureOf(secrets: readonly string[], at: Date, body: string): string {
  const t = Math.floor(at.getTime() / 1000)
  const proofs = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`)
  return [`t=${t}`, ...proofs].join(',')
}

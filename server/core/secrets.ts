import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import type { Keys } from './keys.ts'

/** Encrypts what must be read again. `purpose` binds it to its place: moved to another record it cannot be opened. */
export function seal(keys: Pick<Keys, 'encryption'>, text: string, purpose: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keys.encryption, nonce).setAAD(Buffer.from(purpose))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

export function unseal(keys: Pick<Keys, 'encryption'>, sealed: string, purpose: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', keys.encryption, bytes.subarray(0, 12)).setAAD(Buffer.from(purpose))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
}

/** A hash that nobody can search for short secrets without the key. */
export const keyedHash = (keys: Pick<Keys, 'encryption'>, text: string): string =>
  createHmac('sha256', keys.encryption).update(`hash:${text}`).digest('hex')

/** 256 random bits for a link, and what is kept of them. */
export const newLinkToken = () => randomBytes(32).toString('base64url')
export const linkHash = (token: string) => createHash('sha256').update(token).digest('hex')

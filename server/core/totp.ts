import { createHmac, timingSafeEqual } from 'node:crypto'

/** Codes as authenticator apps make them: RFC 6238 with SHA-1, six digits, a new one every thirty seconds. */
const stepSeconds = 30
const digits = 6
/** Clocks of phones go wrong by this many steps. */
const drift = 1
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = ((held & 31) << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31]
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31] : text
}

export function fromBase32(text: string): Buffer {
  const bytes: number[] = []
  let held = 0
  let bits = 0
  for (const letter of text.toUpperCase()) {
    const value = alphabet.indexOf(letter)
    if (value < 0) throw new Error('not base32')
    held = ((held << 5) | value) & 0xfff
    bits += 5
    if (bits >= 8) bytes.push((held >> (bits -= 8)) & 255)
  }
  return Buffer.from(bytes)
}

export const stepOf = (at: Date) => Math.floor(at.getTime() / 1000 / stepSeconds)

export function codeAt(secret: Uint8Array, step: number, length = digits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** length).padStart(length, '0')
}

/** The step a code belongs to, among those after `usedStep`: a code works once, and none before it works any more. */
export function stepOfCode(secret: Uint8Array, code: string, at: Date, usedStep: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const now = stepOf(at)
  let found: number | null = null
  for (let step = now - drift; step <= now + drift; step++) {
    if (timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code)) && step > usedStep) found ??= step
  }
  return found
}

/** What the app reads from the picture. */
export function otpauthUrl(issuer: string, account: string, secret: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`
}

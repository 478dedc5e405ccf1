import { describe, expect, it } from 'vitest'
import { seal, unseal } from './secrets.ts'
import { codeAt, fromBase32, otpauthUrl, stepOf, stepOfCode, toBase32 } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

describe('codes of authenticator apps', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('are those of RFC 6238 at second %i', (second, code) => {
    expect(codeAt(secret, stepOf(new Date(second * 1000)), 8)).toBe(code)
  })
  it('work once, half a minute early or late, and never backwards', () => {
    const at = new Date(1_700_000_000_000)
    const now = stepOf(at)
    expect(stepOfCode(secret, codeAt(secret, now), at, 0)).toBe(now)
    expect(stepOfCode(secret, codeAt(secret, now - 1), at, 0)).toBe(now - 1)
    expect(stepOfCode(secret, codeAt(secret, now), at, now)).toBeNull()
    expect(stepOfCode(secret, codeAt(secret, now - 1), at, now)).toBeNull()
    expect(stepOfCode(secret, codeAt(secret, now - 2), at, 0)).toBeNull()
    for (const junk of ['', '12345', '1234567', 'abcdef', '１２３４５６']) expect(stepOfCode(secret, junk, at, 0)).toBeNull()
  })
  it('come with a secret that can be typed', () => {
    expect(toBase32(Buffer.from('Hello!'))).toBe('JBSWY3DPEE')
    for (let length = 1; length < 40; length++) {
      const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 37 + length) & 255))
      expect(fromBase32(toBase32(bytes))).toEqual(bytes)
    }
    expect(otpauthUrl('A & B', 'a@b.example', 'JBSWY3DP')).toBe('otpauth://totp/A%20%26%20B:a%40b.example?secret=JBSWY3DP&issuer=A%20%26%20B&algorithm=SHA1&digits=6&period=30')
  })
})

describe('a secret at rest', () => {
  const keys = { encryption: Buffer.alloc(32, 7) }
  it('is read again in its own place alone, and not at all when a bit was changed', () => {
    const sealed = seal(keys, 'JBSWY3DP', 'user-1')
    expect(sealed).not.toContain('JBSWY3DP')
    expect(unseal(keys, sealed, 'user-1')).toBe('JBSWY3DP')
    expect(() => unseal(keys, sealed, 'user-2')).toThrow()
    const changed = Buffer.from(sealed, 'base64')
    changed[14] = (changed[14] ?? 0) ^ 1
    expect(() => unseal(keys, changed.toString('base64'), 'user-1')).toThrow()
    expect(seal(keys, 'JBSWY3DP', 'user-1')).not.toBe(sealed)
  })
})

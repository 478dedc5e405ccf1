import { describe, expect, it } from 'vitest'
import { seal, unseal } from './secrets.ts'
import { codeAt, newSecret, otpauthUrl, stepOf, stepOfCode } from './totp.ts'

/** `12345678901234567890`, the secret of the test values in RFC 6238. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('codes of authenticator apps', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238 at second %i', (second, code) => {
    expect(codeAt(secret, stepOf(new Date(second * 1000)))).toBe(code)
  })
  it('work once, half a minute early or late, and never backwards', () => {
    const at = new Date(1_700_000_000_000)
    const now = stepOf(at)
    expect(stepOfCode(secret, codeAt(secret, now), at, 0)).toBe(now)
    expect(stepOfCode(secret, codeAt(secret, now - 1), at, 0)).toBe(now - 1)
    expect(stepOfCode(secret, codeAt(secret, now), at, now)).toBeNull()
    expect(stepOfCode(secret, codeAt(secret, now - 1), at, now)).toBeNull()
    expect(stepOfCode(secret, codeAt(secret, now - 2), at, 0)).toBeNull()
    for (const junk of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
      expect(stepOfCode(secret, junk, at, 0)).toBeNull()
  })
  it('come with a secret that can be typed', () => {
    expect(newSecret()).toMatch(/^[A-Z2-7]{32}$/)
    expect(newSecret()).not.toBe(newSecret())
    const url = new URL(otpauthUrl('A & B', 'a@b.example', 'JBSWY3DP'))
    expect(decodeURIComponent(url.pathname)).toBe('/A & B:a@b.example')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      secret: 'JBSWY3DP',
      issuer: 'A & B',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
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

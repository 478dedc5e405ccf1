import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Keys } from './keys.ts'

/** How long a token opens anything. The session behind it lives longer and is asked on every request. */
export const tokenMinutes = 15
const maxRemembered = 5000
const longest = 4096

/** A token is a hint at a session; what it says about roles is never believed, only compared. */
const claimsSchema = z.object({
  purpose: z.literal('session'),
  sid: z.uuid(),
  roleGUID: z.uuid(),
  userData: z
    .object({
      guid: z.uuid(),
      authID: z.string(),
      name: z.string(),
      email: z.string(),
      roleName: z.string(),
      preferences: z.record(z.string(), z.unknown()),
    })
    .optional(),
  isRenewAllowed: z.boolean(),
  iat: z.int(),
  exp: z.int(),
})
export type Claims = z.output<typeof claimsSchema>

export interface Tokens {
  sign(claims: Omit<Claims, 'purpose'>): Promise<string>
  /** The claims of a token that we signed, expired or not; null for anything else. */
  read(token: string): Promise<Claims | null>
}

/** One algorithm, one key, named in the header. Tokens read once are remembered by their whole text. */
export function makeTokens(keys: Pick<Keys, 'token' | 'fingerprint'>): Tokens {
  const header = { alg: 'HS256', typ: 'JWT', kid: keys.fingerprint }
  const remembered = new Map<string, Claims>()
  const remember = (token: string, claims: Claims) => {
    if (remembered.size >= maxRemembered) {
      const oldest = remembered.keys().next().value
      if (oldest !== undefined) remembered.delete(oldest)
    }
    remembered.set(token, claims)
    return claims
  }
  return {
    sign: (claims) => new SignJWT({ ...claims, purpose: 'session' }).setProtectedHeader(header).sign(keys.token),
    read: async (token) => {
      const known = remembered.get(token)
      if (known) return known
      if (token.length > longest) return null
      try {
        // Expiry is judged by the caller against the application's clock.
        const { payload, protectedHeader } = await jwtVerify(token, keys.token, {
          algorithms: ['HS256'],
          typ: 'JWT',
          currentDate: new Date(0),
        })
        const claims = claimsSchema.safeParse(payload)
        return protectedHeader.kid === keys.fingerprint && claims.success ? remember(token, claims.data) : null
      } catch {
        return null
      }
    },
  }
}

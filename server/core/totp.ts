import { Secret, TOTP } from 'otpauth'

/** Codes as authenticator apps make them: RFC 6238 with SHA-1, six digits, a new one every thirty seconds. */
const stepSeconds = 30
/** Clocks of phones go wrong by this many steps. */
const drift = 1
/** 160 bits, as authenticator apps expect them. */
const secretBytes = 20

/** A new secret in base32, as people may type it. */
export const newSecret = (): string => new Secret({ size: secretBytes }).base32

const codesOf = (secret: string) => new TOTP({ secret, period: stepSeconds })

export const stepOf = (at: Date): number => TOTP.counter({ period: stepSeconds, timestamp: at.getTime() })

export const codeAt = (secret: string, step: number): string =>
  codesOf(secret).generate({ timestamp: step * stepSeconds * 1000 })

/** The step a code belongs to, among those after `usedStep`: a code works once, and none before it works any more. */
export function stepOfCode(secret: string, code: string, at: Date, usedStep: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const delta = codesOf(secret).validate({ token: code, timestamp: at.getTime(), window: drift })
  if (delta === null) return null
  const step = stepOf(at) + delta
  return step > usedStep ? step : null
}

/** What the app reads from the picture. */
export const otpauthUrl = (issuer: string, account: string, secret: string): string =>
  new TOTP({ issuer, label: account, secret, period: stepSeconds }).toString()

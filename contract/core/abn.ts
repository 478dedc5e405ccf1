import { z } from 'zod'

const abnWeights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]
const acnWeights = [8, 7, 6, 5, 4, 3, 2, 1]

/** Digits only: spaces, dots and hyphens are taken out, everything else stays and makes it invalid. */
export const normaliseAbn = (text: string): string => text.replace(/[\s.-]/g, '')

/** The check of the Australian Business Register: first digit less one, weighted sum divisible by 89. */
export function isValidAbn(text: string): boolean {
  const digits = normaliseAbn(text)
  // The register gives no number that starts with zero; without this, eleven zeros less one would be a negative digit.
  if (!/^[1-9]\d{10}$/.test(digits)) return false
  const sum = abnWeights.reduce((total, weight, i) => total + weight * (Number(digits[i]) - (i === 0 ? 1 : 0)), 0)
  return sum % 89 === 0
}

export function isValidAcn(text: string): boolean {
  const digits = normaliseAbn(text)
  if (!/^\d{9}$/.test(digits) || digits === '000000000') return false
  const sum = acnWeights.reduce((total, weight, i) => total + weight * Number(digits[i]), 0)
  return (10 - (sum % 10)) % 10 === Number(digits[8])
}

/** `53 004 085 616`; a text that is no ABN comes back as it is. */
export function formatAbn(text: string): string {
  const digits = normaliseAbn(text)
  return /^\d{11}$/.test(digits)
    ? `${digits.slice(0, 2)} ${digits.slice(2, 5)} ${digits.slice(5, 8)} ${digits.slice(8)}`
    : text
}

export function formatAcn(text: string): string {
  const digits = normaliseAbn(text)
  return /^\d{9}$/.test(digits) ? `${digits.slice(0, 3)} ${digits.slice(3, 6)} ${digits.slice(6)}` : text
}

/** An ABN as people write it, stored as eleven digits. */
export const abn = z.string().max(20).transform(normaliseAbn).refine(isValidAbn, 'Enter a valid ABN.')
/** An ACN as people write it, stored as nine digits. */
export const acn = z.string().max(20).transform(normaliseAbn).refine(isValidAcn, 'Enter a valid ACN.')

const arabicDigits = /[\u0660-\u0669\u06f0-\u06f9]/g
/** Digits of Arabic and Persian keyboards as those that everything is stored in. */
export const latinDigits = (text: string): string =>
  text.replace(arabicDigits, (digit) => String((digit.codePointAt(0) ?? 0) % 16))

/**
 * Reads a typed time (`14:30`, `2.30 pm`, `9`) as minutes after midnight; null for nothing, undefined for what is none.
 */
export function parseTime(text: string): number | null | undefined {
  const plain = latinDigits(text).trim().toLowerCase()
  if (!plain) return null
  const parts = /^(\d{1,2})(?:\s*[:.h]?\s*(\d{2}))?\s*h?\s*(?:([apصم])\.?m?\.?)?$/.exec(plain)
  if (!parts) return undefined
  const [hour, minute, half] = [Number(parts[1]), Number(parts[2] ?? 0), parts[3]]
  if (minute > 59 || hour > (half ? 12 : 23) || (half && hour === 0)) return undefined
  return (half ? (hour % 12) + (half === 'p' || half === 'م' ? 12 : 0) : hour) * 60 + minute
}

const two = (n: number) => String(n).padStart(2, '0')
/** Minutes after midnight as times are stored, such as `07:30`. */
export const clockOf = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`

import { dropStored, readStored, writeStored } from '../storage.ts'

const home = '/dashboards/ecommerce'

/** A path of this site, never a URL: what follows the first slash is neither a slash nor a backslash. */
export const isSafeTarget = (value: unknown): value is string => typeof value === 'string' && /^\/(?![/\\])/.test(value) && !/^\/(login|auth-lobby|auth-waiting)\b/.test(value)

export const safeTarget = (value: unknown): string => (isSafeTarget(value) ? value : home)

export const rememberTarget = (href: string) => {
  if (isSafeTarget(href)) writeStored('target', href)
}

/** The page the visitor wanted before we sent him to wait; asked for once. */
export function takeTarget(): string {
  const stored = readStored<string>('target')
  dropStored('target')
  return safeTarget(stored?.value)
}

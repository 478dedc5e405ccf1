import { dropHere, readHere, writeHere } from '../storage.ts'
import { isSafeTarget, safeTarget } from './safe-target.ts'

export const rememberTarget = (href: string) => {
  if (isSafeTarget(href)) writeHere('target', href)
}

/** The page the visitor wanted before we sent him to wait; asked for once. */
export function takeTarget(): string {
  const stored = readHere<string>('target')
  dropHere('target')
  return safeTarget(stored?.value)
}

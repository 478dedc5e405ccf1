import { type GuestChange, officeTitles } from '../../contract/change-orders.ts'
import type { T } from '../core/i18n/i18n.ts'

const phrases = {
  Edited: 'changes:made.edited',
  Settled: 'changes:made.settled',
  'Off hire': 'changes:made.offHire',
} as const

/** What a change is called: in the reader's words, where the office made it by itself. */
export function changeTitle({ title, acceptance }: Pick<GuestChange, 'title' | 'acceptance'>, t: T): string {
  const made = acceptance?.method === 'edited' ? officeTitles.find((known) => known === title) : undefined
  return made ? t(phrases[made]) : title
}

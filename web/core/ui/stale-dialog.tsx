import type { ReactNode } from 'react'
import { asApiError } from '../api/error.ts'
import { whenOpen } from './when-open.tsx'

export interface StaleRow {
  label: string
  mine: ReactNode
  theirs: ReactNode
  isDifferent: boolean
}

export interface StaleDialogProps {
  isOpen: boolean
  rows: StaleRow[]
  onKeepMine: () => void
  onTakeTheirs: () => void
  onClose: () => void
}

/** The current record inside a `STALE_VERSION` answer, under its noun's name or by itself; null for any other error. */
export function staleRecord<T>(error: unknown, noun: string): T | null {
  if (!error) return null
  const { error: code, serviceData } = asApiError(error)
  if (code !== 'STALE_VERSION' || !serviceData || typeof serviceData !== 'object') return null
  return ((serviceData as Record<string, unknown>)[noun] ?? serviceData) as T
}

/** Shows both versions when somebody else saved first, instead of overwriting one of them. */
export const StaleDialog = whenOpen<StaleDialogProps>(() =>
  import('./stale-versions.tsx').then((module) => module.StaleVersions),
)

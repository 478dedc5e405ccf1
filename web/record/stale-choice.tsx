import type { ReactNode } from 'react'
import { StaleDialog, staleRecord } from '../core/ui/stale-dialog.tsx'

export interface StaleChoiceProps<T> {
  /** The failed save. */
  error: unknown
  noun: string
  /** What was to be saved, in the shape of the record. */
  mine: Partial<T> | null
  fields: readonly { label: string; show: (record: Partial<T>) => ReactNode }[]
  onKeepMine: (theirs: T) => void
  onTakeTheirs: (theirs: T) => void
  onClose: () => void
}

/** Somebody else saved first: both versions, side by side, field by field. */
export function StaleChoice<T>({ error, noun, mine, fields, onKeepMine, onTakeTheirs, onClose }: StaleChoiceProps<T>) {
  const theirs = staleRecord<T>(error, noun)
  if (!theirs || !mine) return null
  const rows = fields.map(({ label, show }) => ({
    label,
    mine: show(mine),
    theirs: show(theirs),
    isDifferent: show(mine) !== show(theirs),
  }))
  return (
    <StaleDialog
      isOpen
      rows={rows}
      onKeepMine={() => onKeepMine(theirs)}
      onTakeTheirs={() => onTakeTheirs(theirs)}
      onClose={onClose}
    />
  )
}

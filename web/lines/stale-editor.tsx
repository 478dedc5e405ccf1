import { useState, type ReactNode } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { Money } from '../core/ui/money.tsx'
import { StaleDialog, staleRecord, type StaleRow } from '../core/ui/stale-dialog.tsx'
import { useStaleBase } from '../record/stale-base.ts'

interface Kept {
  version: number
  title: string
  totals: { totalCents: number }
}

/**
 * Editing a record that others may change meanwhile: when they saved first, both versions are shown and nothing is overwritten.
 * `base` is what the form starts from, `round` its key: taking theirs starts a new round.
 */
export function useStaleEditor<T extends Kept>(
  first: T,
  update: { error: unknown; reset: () => void },
  noun: string,
  more: (mine: T, theirs: T) => StaleRow[] = () => [],
) {
  const t = useT('lines')
  const { base, round, answers } = useStaleBase(first, update)
  const [mine, setMine] = useState({ title: first.title, totalCents: first.totals.totalCents })
  const theirs = staleRecord<T>(update.error, noun)
  const dialog: ReactNode = theirs ? (
    <StaleDialog
      isOpen
      rows={[
        {
          label: t('lines:documentTitle'),
          mine: mine.title,
          theirs: theirs.title,
          isDifferent: mine.title !== theirs.title,
        },
        {
          label: t('lines:total'),
          mine: <Money cents={mine.totalCents} />,
          theirs: <Money cents={theirs.totals.totalCents} />,
          isDifferent: mine.totalCents !== theirs.totals.totalCents,
        },
        ...more(base, theirs),
      ]}
      onKeepMine={() => answers.onKeepMine(theirs)}
      onTakeTheirs={() => answers.onTakeTheirs(theirs)}
      onClose={answers.onClose}
    />
  ) : null
  return { base, round, dialog, noteMine: setMine }
}

import { Suspense, lazy } from 'react'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { Format } from '../core/i18n/format.ts'

const CompareDialog = lazy(() => import('./compare-dialog.tsx').then((module) => ({ default: module.CompareDialog })))

/** `R0 | R1`: an earlier one opens what changed since. */
export function Revisions({ quote, onOpen }: { quote: ServiceQuote; onOpen: (revision: number) => void }) {
  const t = useT('service')
  if (quote.revisions.length < 2) return null
  return (
    <div className="revisions" role="group" aria-label={t('service:revisions.label')}>
      {quote.revisions.map(({ revision }) =>
        revision === quote.revision ? (
          <span key={revision} className="revision" aria-current="true">
            {t('service:revisions.name', { revision })}
          </span>
        ) : (
          <button key={revision} type="button" className="revision" onClick={() => onOpen(revision)}>
            {t('service:revisions.name', { revision })}
            <span className="visually-hidden"> ({t('service:revisions.open')})</span>
          </button>
        ),
      )}
    </div>
  )
}

/** The comparison with an earlier revision, while one is chosen. */
export function RevisionChanges({
  guid,
  from,
  format,
  onClose,
}: {
  guid: string
  from: number | null
  format: Format
  onClose: () => void
}) {
  return from === null ? null : (
    <Suspense>
      <CompareDialog guid={guid} from={from} format={format} onClose={onClose} />
    </Suspense>
  )
}

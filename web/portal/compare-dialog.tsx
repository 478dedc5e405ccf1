import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import type { Comparison } from '../../contract/negotiation.ts'
import { serviceApi } from '../../contract/service.ts'
import { useRead } from '../core/api/hooks.ts'
import type { Format } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Dialog } from '../core/ui/dialog.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { ErrorState, LoadingLines } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { comparedText } from '../lines/compared-text.ts'
import { type ComparedLine, isLongField, shownFields } from './compare-values.ts'
import { useDelta } from './line-requests.tsx'

const tones = { same: 'neutral', changed: 'info', added: 'success', removed: 'error', moved: 'neutral' } as const

/** What changed from an earlier revision to the one that is shown. */
export function CompareDialog({
  guid,
  from,
  format,
  onClose,
}: {
  guid: string
  from: number
  format: Format
  onClose: () => void
}) {
  const t = useT('service', 'lines', 'common')
  const read = useRead(serviceApi.compare, { guid, from })
  return (
    <Dialog title={t('service:compare.title')} size="lg" onClose={onClose}>
      {read.data ? (
        <Compared comparison={read.data.comparison} format={format} />
      ) : read.error ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <LoadingLines />
      )}
    </Dialog>
  )
}

/** Before and after, in the direction that is read. */
const Arrow = () => (
  <span className="compare-arrow">
    <Icon name="next" size={16} />
  </span>
)

function Compared({ comparison, format: f }: { comparison: Comparison; format: Format }) {
  const t = useT('service')
  const delta = useDelta()
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [isWhole, setWhole] = useState(!isPhone)
  const { from, to, lines, document, deltaCents } = comparison
  const changed = lines.filter(({ change }) => change !== 'same')
  const shown = isWhole ? lines : changed
  const name = (revision: number) => t('service:revisions.name', { revision })
  return (
    <div className="stack compare">
      <dl className="compare-totals">
        <div>
          <dt>{t('service:compare.totalOf', { name: name(from.revision) })}</dt>
          <dd>
            <bdi className="tabular">{f.money(from.totalCents)}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('service:compare.totalOf', { name: name(to.revision) })}</dt>
          <dd>
            <Arrow />
            <bdi className="tabular strong">{f.money(to.totalCents)}</bdi>
          </dd>
        </div>
        <div className="compare-delta">
          <dt>{t('service:compare.difference')}</dt>
          <dd>
            <bdi className="tabular strong">{delta(deltaCents)}</bdi>
          </dd>
        </div>
      </dl>
      {changed.length === 0 && document.length === 0 ? (
        <p className="no-margin">{t('service:compare.nothing')}</p>
      ) : null}
      <ul className="compare-lines">
        {shown.map((line) => (
          <Line key={line.originLineGuid} line={line} format={f} />
        ))}
      </ul>
      {isWhole || changed.length === lines.length ? null : (
        <Button variant="default" onClick={() => setWhole(true)}>
          {t('service:compare.all')}
        </Button>
      )}
      {changed.length > 0 ? <p className="muted small no-margin">{t('service:compare.net')}</p> : null}
      {document.length > 0 ? (
        <section>
          <h3 className="compare-heading">{t('service:compare.document')}</h3>
          <Fields fields={document} format={f} />
        </section>
      ) : null}
    </div>
  )
}

function Line({ line, format }: { line: ComparedLine; format: Format }) {
  const t = useT('service')
  const delta = useDelta()
  return (
    <li className="compare-line" data-change={line.change}>
      <div className="compare-line-head">
        <bdi className={line.change === 'same' ? '' : 'strong'}>{line.name}</bdi>
        <StatusChip status="sent" tone={tones[line.change]} label={t(`service:compare.changes.${line.change}`)} />
        <bdi className="compare-line-delta tabular">{line.deltaCents === 0 ? '' : delta(line.deltaCents)}</bdi>
      </div>
      <Fields fields={shownFields(line)} format={format} />
    </li>
  )
}

function Fields({ fields, format }: { fields: Comparison['document']; format: Format }) {
  const t = useT('service', 'common', 'lines')
  if (fields.length === 0) return null
  const said = (field: string, value: string | null) => {
    const text = comparedText(field, value, { t, f: format })
    return text === null ? <span className="muted">{t('service:compare.none')}</span> : <bdi>{text}</bdi>
  }
  return (
    <dl className="compare-fields">
      {fields.map(({ field, before, after }) => (
        <div key={field} data-long={isLongField(field) || undefined}>
          <dt>{t(`service:compare.fields.${field as 'quantity'}`)}</dt>
          <dd>
            <span className="compare-before">
              <span className="visually-hidden">{t('service:compare.before')}: </span>
              {said(field, before)}
            </span>
            <Arrow />
            <span>
              <span className="visually-hidden">{t('service:compare.after')}: </span>
              {said(field, after)}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

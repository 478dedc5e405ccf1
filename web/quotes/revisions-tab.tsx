import { Radio } from '@mantine/core'
import { useState } from 'react'
import type { Comparison } from '../../contract/negotiation.ts'
import { quotesApi, type Quote } from '../../contract/quotes.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { Money } from '../core/ui/money.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { useCompareText } from './compare-text.ts'
import { Delta } from './delta.tsx'
import { quoteName } from './quote-name.ts'
import './negotiation.css'

interface Revision {
  guid: string
  label: string
  displayStatus: string
  totalCents: number
}

/** Every revision of a quote, the oldest first. */
function revisionsOf(quote: Quote, draft: string): Revision[] {
  const own = {
    guid: quote.guid,
    label: quoteName(quote, draft),
    displayStatus: quote.displayStatus,
    totalCents: quote.totals.totalCents,
    revision: quote.revision,
  }
  const others = quote.related.revisions.map((other) => ({
    ...other,
    label: other.label.trim(),
    revision: Number(/ R(\d+)$/.exec(other.label)?.[1] ?? 0),
  }))
  return [...others, own].toSorted((one, other) => one.revision - other.revision)
}

/** The revisions of a quote, and what changed from one to another. */
export function RevisionsTab({ quote }: { quote: Quote }) {
  const t = useT('quotes')
  const all = revisionsOf(quote, t('quotes:draftNumber'))
  const at = all.findIndex(({ guid }) => guid === quote.guid)
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(null)
  const isThere = (guid: string | null) => all.some((one) => one.guid === guid)
  const toGuid = (isThere(to) ? to : null) ?? (at === 0 ? (all[1] ?? all[0]) : all[at])?.guid ?? quote.guid
  const fromGuid = (isThere(from) ? from : null) ?? (at === 0 ? all[0] : all[at - 1])?.guid ?? quote.guid
  const side = (label: string, guid: string, chosen: string, set: (guid: string) => void) => (
    <Radio
      name={label}
      aria-label={`${label}: ${all.find((one) => one.guid === guid)?.label ?? ''}`}
      checked={chosen === guid}
      onChange={() => set(guid)}
    />
  )
  return (
    <div className="stack cards">
      <Card title={t('quotes:tabs.revisions')}>
        <div className="table-scroll">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t('quotes:number')}</th>
                <th scope="col">{t('quotes:statusLabel')}</th>
                <th scope="col" className="end">
                  {t('quotes:total')}
                </th>
                {all.length > 1 ? (
                  <>
                    <th scope="col">{t('quotes:compare.from')}</th>
                    <th scope="col">{t('quotes:compare.to')}</th>
                  </>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {all.map((one) => (
                <tr key={one.guid}>
                  <th scope="row">
                    {one.guid === quote.guid ? (
                      <span aria-current="page">{unbroken(one.label)}</span>
                    ) : (
                      <RecordLink noun="Quotes" guid={one.guid}>
                        {one.label}
                      </RecordLink>
                    )}
                  </th>
                  <td>
                    <StatusChip status={one.displayStatus} ns="quotes" />
                  </td>
                  <td className="end">
                    <Money cents={one.totalCents} />
                  </td>
                  {all.length > 1 ? (
                    <>
                      <td>{side(t('quotes:compare.from'), one.guid, fromGuid, setFrom)}</td>
                      <td>{side(t('quotes:compare.to'), one.guid, toGuid, setTo)}</td>
                    </>
                  ) : null}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {all.length > 1 ? null : <p className="muted no-margin">{t('quotes:compare.none')}</p>}
      </Card>
      {fromGuid === toGuid ? null : <Compared from={fromGuid} to={toGuid} />}
    </div>
  )
}

function Compared({ from, to }: { from: string; to: string }) {
  const read = useRead(quotesApi.compare, { guid: to, with: from }, { keep: true })
  return <Loaded of={read}>{({ comparison }) => <Differences of={comparison} />}</Loaded>
}

const sideName = ({ number, revision }: Comparison['from']) => `${number} R${revision}`.trim()

function Differences({ of }: { of: Comparison }) {
  const t = useT('quotes')
  const text = useCompareText()
  const changes = (fields: Comparison['document']) => (
    <ul className="revision-fields">
      {fields.map((change) => (
        <li key={change.field}>
          <span className="muted">{text.nameOf(change.field)}</span>{' '}
          <span className="revision-values">
            <del>{text.valueOf(change, change.before)}</del>{' '}
            <span className="revision-arrow" aria-hidden="true">
              →
            </span>{' '}
            <ins>{text.valueOf(change, change.after)}</ins>
          </span>
        </li>
      ))}
    </ul>
  )
  const total = <Delta cents={of.deltaCents} className="strong" />
  return (
    <Card title={t('quotes:compare.title', { from: sideName(of.from), to: sideName(of.to) })} actions={total}>
      <p className="muted small">{t('quotes:compare.net')}</p>
      <ul className="revision-lines">
        {of.lines.map((line) => (
          <li key={line.originLineGuid} data-change={line.change}>
            <div className="ask-top">
              <span>
                <span className="strong">{unbroken(line.name)}</span>{' '}
                <span className="revision-mark">{t(`quotes:compare.changes.${line.change}`)}</span>
              </span>
              <Delta cents={line.deltaCents} />
            </div>
            {line.fields.length > 0 ? changes(line.fields) : null}
          </li>
        ))}
      </ul>
      <h3 className="revision-heading">{t('quotes:compare.document')}</h3>
      {of.document.length > 0 ? (
        changes(of.document)
      ) : (
        <p className="muted no-margin">{t('quotes:compare.noDocument')}</p>
      )}
      <dl className="revision-totals">
        <div>
          <dt>{sideName(of.from)}</dt>
          <dd>
            <Money cents={of.from.totalCents} />
          </dd>
        </div>
        <div>
          <dt>{sideName(of.to)}</dt>
          <dd>
            <Money cents={of.to.totalCents} />
          </dd>
        </div>
      </dl>
    </Card>
  )
}

import type { ChangedLine } from '../../contract/change-orders.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import './changed-lines.css'
import { unitText } from './unit-text.ts'

type Side = NonNullable<ChangedLine['before']>

interface Effect {
  lines: readonly ChangedLine[]
  deltaCents: number
  contractBeforeCents: number
  contractAfterCents: number
}

/** What something adds or takes away, with its sign. */
export function Delta({ cents }: { cents: number }) {
  const { money } = useFormat()
  return (
    <bdi dir="ltr" className="tabular">
      {cents > 0 ? '+' : ''}
      {money(cents)}
    </bdi>
  )
}

/** What a change does, line by line, and what the contract comes to before and after. */
export function ChangedLines({ lines, ...sum }: Effect) {
  const t = useT('changes')
  const { money } = useFormat()
  const said = ({ quantity, unitPriceCents }: Side, unit: string) =>
    t('changes:side', { quantity, unit: unitText(unit, quantity), price: money(unitPriceCents) })
  return (
    <div className="stack changed">
      <ul className="changed-lines" aria-label={t('changes:lines')}>
        {lines.map(({ kind, lineGuid, name, description, unit, before, after }) => (
          <li key={lineGuid}>
            <div className="row spread">
              <span className="strong">
                <bdi>{name}</bdi>
              </span>
              <Delta cents={(after?.totalCents ?? 0) - (before?.totalCents ?? 0)} />
            </div>
            {kind === 'add' && description ? <p className="muted small no-margin plaintext">{description}</p> : null}
            <p className="small no-margin changed-sides">
              <span className="muted">{t(`changes:kinds.${kind}`)}</span>
              {before ? <s>{said(before, unit)}</s> : null}
              {after && kind !== 'remove' ? <span>{said(after, unit)}</span> : null}
            </p>
          </li>
        ))}
      </ul>
      <dl className="changed-sum">
        <div>
          <dt>{t('changes:before')}</dt>
          <dd className="tabular">{money(sum.contractBeforeCents)}</dd>
        </div>
        <div>
          <dt>{t('changes:delta')}</dt>
          <dd>
            <Delta cents={sum.deltaCents} />
          </dd>
        </div>
        <div className="strong">
          <dt>{t('changes:after')}</dt>
          <dd className="tabular">{money(sum.contractAfterCents)}</dd>
        </div>
      </dl>
    </div>
  )
}

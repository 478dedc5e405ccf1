import { Checkbox } from '@mantine/core'
import type { RiseItem } from '../../contract/series.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { Money } from '../core/ui/money.tsx'
import { Problem } from './rise-values.tsx'

interface CheckStepProps {
  items: readonly RiseItem[]
  /** Lines whose price stays. */
  excluded: ReadonlySet<string>
  problem: string | null
  isBusy: boolean
  onExclude: (lines: ReadonlySet<string>) => void
  onBack: () => void
  onSave: () => void
}

/** What the rise would do to each series, with why not; single lines can be left as they are. */
export function CheckStep({ items, excluded, problem, isBusy, onExclude, onBack, onSave }: CheckStepProps) {
  const t = useT('series')
  const count = items.filter(({ refusal }) => refusal === null).length
  return (
    <>
      <div className="table-scroll" role="region" aria-label={t('series:rise.steps.check')} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('series:name')}</th>
              <th scope="col">{t('series:rise.firstOn')}</th>
              <th scope="col" className="end">
                {t('series:rise.before')}
              </th>
              <th scope="col" className="end">
                {t('series:rise.after')}
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.seriesGuid}>
                <th scope="row">
                  {item.title}
                  <span className="block muted small">{item.customerName}</span>
                  {item.refusal ? (
                    <span className="block field-error">{t(`series:rise.refusals.${item.refusal}`)}</span>
                  ) : null}
                  <Lines item={item} excluded={excluded} isBusy={isBusy} onExclude={onExclude} />
                </th>
                <td>
                  <DateText value={item.firstOn} />
                </td>
                <td className="end">
                  <Money cents={item.beforeCents} />
                </td>
                <td className="end">{item.refusal ? '–' : <Money cents={item.afterCents} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {problem ? (
        <div className="card-body">
          <Problem of={problem} />
        </div>
      ) : null}
      <div className="card-body row spread rise-foot">
        <ActionButton variant="default" onClick={onBack}>
          {t('series:rise.back')}
        </ActionButton>
        <ActionButton
          icon="check"
          loading={isBusy}
          disabledReason={count === 0 ? t('series:rise.nothing') : null}
          onClick={onSave}
        >
          {t('series:rise.plan', { count })}
        </ActionButton>
      </div>
    </>
  )
}

/** The lines of one series, each with the price before and after; what is not ticked stays. */
function Lines({
  item,
  excluded,
  isBusy,
  onExclude,
}: Pick<CheckStepProps, 'excluded' | 'isBusy' | 'onExclude'> & { item: RiseItem }) {
  const t = useT('series')
  const f = useFormat()
  if (item.lines.length === 0) return null
  const set = (guid: string, rises: boolean) => {
    const next = new Set(excluded)
    if (rises) next.delete(guid)
    else next.add(guid)
    onExclude(next)
  }
  return (
    <details>
      <summary className="small link">{t('series:rise.lines', { count: item.lines.length })}</summary>
      <div className="rise-lines">
        {item.lines.map((line) => (
          <Checkbox
            key={line.guid}
            size="xs"
            disabled={isBusy}
            checked={!line.isExcluded}
            onChange={(event) => set(line.guid, event.currentTarget.checked)}
            label={
              line.isExcluded
                ? t('series:rise.stays', { name: line.name, before: f.money(line.beforeCents) })
                : t('series:rise.becomes', {
                    name: line.name,
                    before: f.money(line.beforeCents),
                    after: f.money(line.afterCents),
                  })
            }
          />
        ))}
      </div>
    </details>
  )
}

import { Switch, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { actions } from '../../contract/explain.ts'
import type { Action } from '../../contract/core/op.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { actionIcons } from './action-icons.ts'
import type { Verdict } from './verdicts.ts'
import { actionText, nounOfSubject, nounText, rightText, rowText, tailText } from './words.ts'
import './access.css'

interface Row {
  subject: string
  cells: Partial<Record<Action, Verdict['access']>>
}

function rowsOf(verdicts: readonly Verdict[]): [string, Row[]][] {
  const rows = new Map<string, Row>()
  for (const { subject, action, access } of verdicts) {
    const row = rows.get(subject) ?? { subject, cells: {} }
    row.cells[action] = access
    rows.set(subject, row)
  }
  const groups = Map.groupBy(rows.values(), (row) => nounOfSubject(row.subject))
  return [...groups].toSorted(([a], [b]) => nounText(a).localeCompare(nounText(b)))
}

const icon = { all: 'check', some: 'filter', none: 'close' } as const

function Cell({
  row,
  action,
  why,
}: {
  row: Row
  action: Action
  why: ((action: Action, subject: string) => string) | undefined
}) {
  const t = useT('access')
  const access = row.cells[action]
  if (access === undefined) return <td aria-label={t('access:table.notApplicable')} />
  const label = `${rightText(action, row.subject)}: ${t(`access:verdict.${access}`)}`
  const mark = (
    <span className="verdict" data-access={access}>
      <Icon name={icon[access]} size={16} />
    </span>
  )
  return (
    <td>
      {why ? (
        <AppLink to={why(action, row.subject)} className="verdict-link" label={label}>
          {mark}
        </AppLink>
      ) : (
        <>
          {mark}
          <span className="visually-hidden">{t(`access:verdict.${access}`)}</span>
        </>
      )}
    </td>
  )
}

export interface RightsTableProps {
  verdicts: readonly Verdict[]
  label: string
  /** Where the reason of a right stands. */
  why?: (action: Action, subject: string) => string
}

/** Every right there is, by noun, and on which records it holds. */
export function RightsTable({ verdicts, label, why }: RightsTableProps) {
  const t = useT('access', 'common')
  const [filter, setFilter] = useState('')
  const [isHeldOnly, setHeldOnly] = useState(false)
  const columns = actions.filter((action) => verdicts.some((verdict) => verdict.action === action))
  const groups = useMemo(() => {
    const words = filter.trim().toLocaleLowerCase()
    const fits = ({ subject, access, action }: Verdict) =>
      (!isHeldOnly || access !== 'none') &&
      (!words || `${rightText(action, subject)} ${subject}`.toLocaleLowerCase().includes(words))
    const shown = new Set(verdicts.filter(fits).map(({ subject }) => subject))
    return rowsOf(verdicts.filter(({ subject }) => shown.has(subject)))
  }, [verdicts, filter, isHeldOnly])
  return (
    <div className="stack">
      <div className="row spread no-print">
        <TextInput
          type="search"
          className="rights-search"
          aria-label={t('access:table.filter')}
          placeholder={t('access:table.filter')}
          leftSection={<Icon name="search" size={18} />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <Switch
          label={t('access:table.heldOnly')}
          checked={isHeldOnly}
          onChange={(event) => setHeldOnly(event.currentTarget.checked)}
        />
      </div>
      {groups.length === 0 ? <p className="muted no-margin">{t('common:nothingFound')}</p> : null}
      <div className="table-scroll" role="group" aria-label={label} tabIndex={0} hidden={groups.length === 0}>
        <table className="plain-table rights-table">
          <caption className="visually-hidden">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{t('access:table.right')}</th>
              {columns.map((action) => (
                <th key={action} scope="col">
                  <span className="rights-action">
                    <Icon name={actionIcons[action]} size={18} />
                    <span>{actionText(action)}</span>
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          {groups.map(([noun, rows]) => (
            <tbody key={noun}>
              {rows.length > 1 || tailText(rows[0]?.subject ?? '') ? (
                <tr className="rights-noun">
                  <th scope="rowgroup" colSpan={columns.length + 1}>
                    {nounText(noun)}
                  </th>
                </tr>
              ) : null}
              {rows.map((row) => (
                <tr key={row.subject}>
                  <th scope="row" className={tailText(row.subject) ? 'rights-tail' : ''}>
                    {rowText(row.subject)}
                  </th>
                  {columns.map((action) => (
                    <Cell key={action} row={row} action={action} why={why} />
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
      <ul className="verdict-legend small muted">
        {(['all', 'some', 'none'] as const).map((access) => (
          <li key={access}>
            <span className="verdict" data-access={access}>
              <Icon name={icon[access]} size={14} />
            </span>
            {t(`access:verdict.${access}`)}
          </li>
        ))}
      </ul>
    </div>
  )
}

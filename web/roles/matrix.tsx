import { useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import type { Action } from '../../contract/core/op.ts'
import { actions } from '../../contract/explain.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import type { IconName } from '../core/ui/icons.ts'
import { actionIcons } from '../access/action-icons.ts'
import { actionText, nounText, rowText, subjectText } from '../access/words.ts'
import { everyones } from '../access/verdicts.ts'
import { cellKey, nextState, type Cell, type CellState, type MatrixGroup, type MatrixRow } from './matrix-state.ts'

export interface Place {
  subject: string
  action: Action
}

export interface MatrixProps {
  groups: readonly MatrixGroup[]
  label: string
  isReadOnly: boolean
  changed: ReadonlySet<string>
  selected: Place | null
  onSelect: (place: Place) => void
  onSet: (place: Place, state: CellState) => void
  onUndo: () => void
  /** Opens what is set on a cell. */
  onOpen: (place: Place) => void
  /** Everything is unfolded: somebody filters. */
  isUnfolded: boolean
}

const marks: Record<Cell['state'], IconName> = { allow: 'check', deny: 'stop', both: 'more', none: 'check' }

/** What a screen reader says of a cell. */
function useCellText() {
  const t = useT('roles', 'access')
  return (row: MatrixRow, action: Action, cell: Cell, isChanged: boolean) => {
    const details = [
      cell.rules.some((rule) => rule.conditions !== null) ? t('roles:cell.conditional') : '',
      cell.rules.some((rule) => !rule.enabled) ? t('roles:cell.off') : '',
      cell.rules.length > 1 ? t('roles:cell.rules', { count: cell.rules.length }) : '',
      ...cell.rules
        .filter((rule) => rule.priority !== 0)
        .map((rule) => t('access:rule.priority', { priority: rule.priority })),
      t(`roles:cell.access.${cell.access}`),
      isChanged ? t('roles:cell.changed') : '',
    ]
    return [`${actionText(action)}, ${subjectText(row.subject)}: ${t(`roles:cell.state.${cell.state}`)}`, ...details]
      .filter(Boolean)
      .join(', ')
  }
}

function CellMark({ cell }: { cell: Cell }) {
  const isOff = cell.rules.length > 0 && cell.rules.every((rule) => !rule.enabled)
  const isConditional = cell.rules.some((rule) => rule.conditions !== null)
  const priority = cell.rules.find((rule) => rule.priority !== 0)?.priority
  return (
    <span className="cell-mark" data-state={cell.state} data-access={cell.access} data-off={isOff}>
      {cell.state !== 'none' || cell.access !== 'none' ? (
        <Icon name={marks[cell.state]} size={cell.state === 'none' ? 14 : 18} />
      ) : null}
      {isConditional ? <span className="cell-condition" aria-hidden="true" /> : null}
      {priority === undefined ? null : (
        // Drawn by the style sheet: the name of the cell says it in words.
        <span className="cell-priority" data-priority={priority} aria-hidden="true" />
      )}
    </span>
  )
}

interface RowProps extends Pick<MatrixProps, 'changed' | 'selected'> {
  row: MatrixRow
  /** The one cell that Tab reaches; the arrow keys go on from there. */
  stop: Place | null
  /** Present on the head of a group that has rows below. */
  fold?: { isOpen: boolean; count: number; toggle: () => void } | undefined
}

const isAt = (place: Place | null, row: MatrixRow, action: Action) =>
  place?.subject === row.subject && place.action === action

function Row({ row, fold, changed, selected, stop }: RowProps) {
  const t = useT('roles', 'access')
  const textOf = useCellText()
  return (
    <tr className={row.isParent ? 'matrix-parent' : 'matrix-child'}>
      <th scope="row">
        <span className="matrix-subject">
          {fold ? (
            <button
              type="button"
              className="matrix-fold"
              aria-expanded={fold.isOpen}
              aria-label={t('roles:matrix.fold', { name: nounText(row.subject), count: fold.count })}
              onClick={fold.toggle}
            >
              <span className="flip">
                <Icon name={fold.isOpen ? 'down' : 'right'} size={16} />
              </span>
            </button>
          ) : row.isParent ? (
            <span className="matrix-fold" />
          ) : null}
          <span className="matrix-name">
            <span>{row.isParent ? nounText(row.subject) : rowText(row.subject)}</span>
            {everyones.has(row.subject) ? <span className="cell-sub">{t('roles:matrix.everyones')}</span> : null}
            {row.isParent ? null : <code className="cell-sub matrix-code">{row.subject}</code>}
          </span>
        </span>
      </th>
      {actions.map((action) => {
        const cell = row.cells[action]
        const isUsable = cell.isMeaningful || cell.rules.length > 0
        const isChanged = changed.has(cellKey(row.subject, action))
        if (!isUsable) return <td key={action} className="matrix-blank" aria-label={t('access:table.notApplicable')} />
        return (
          <td
            key={action}
            aria-selected={isAt(selected, row, action)}
            aria-label={textOf(row, action, cell, isChanged)}
            tabIndex={isAt(stop, row, action) ? 0 : -1}
            data-subject={row.subject}
            data-action={action}
            data-changed={isChanged}
          >
            <CellMark cell={cell} />
          </td>
        )
      })}
    </tr>
  )
}

const placeOf = (target: EventTarget): Place | null => {
  const cell = (target as HTMLElement).closest<HTMLElement>('[data-subject]')
  const action = actions.find((known) => known === cell?.dataset.action)
  return cell?.dataset.subject && action ? { subject: cell.dataset.subject, action } : null
}

/** The cell one step away: past what is folded and blank. */
function neighbour(table: HTMLTableElement, from: HTMLElement, key: string, isRtl: boolean): HTMLElement | null {
  const row = from.closest('tr')
  if (!row) return null
  const rows = [...table.tBodies].flatMap((body) => [...body.rows])
  const column = [...row.cells].indexOf(from.closest('td') ?? (row.cells[0] as HTMLTableCellElement))
  const along = key === 'ArrowLeft' || key === 'ArrowRight'
  const step = key === 'ArrowUp' || ((key === 'ArrowLeft') !== (along && isRtl) && key !== 'ArrowDown') ? -1 : 1
  const line = along ? [...row.cells] : rows.map((candidate) => candidate.cells[column])
  let index = along ? column : rows.indexOf(row)
  for (index += step; index >= 0 && index < line.length; index += step) {
    const cell = line[index]
    if (cell?.matches('[data-subject]')) return cell
  }
  return null
}

function edge(row: HTMLTableRowElement | null, end: boolean): HTMLElement | null {
  const cells = [...(row?.querySelectorAll<HTMLElement>('[data-subject]') ?? [])]
  return (end ? cells.at(-1) : cells[0]) ?? null
}

/** Letters set a cell at once: allow, deny, nothing. */
const letters: Record<string, CellState> = { a: 'allow', d: 'deny', n: 'none', Delete: 'none', Backspace: 'none' }

/** Subjects down, actions across; one click, or the space bar, takes a cell from nothing to allow, deny and back. */
export function Matrix(props: MatrixProps) {
  const { groups, label, isReadOnly, changed, selected, onSelect, onSet, onOpen, onUndo, isUnfolded } = props
  const t = useT('roles', 'access')
  const table = useRef<HTMLTableElement>(null)
  const [folds, setFolds] = useState<Record<string, boolean>>({})
  const cellAt = ({ subject, action }: Place) =>
    groups.flatMap((group) => [group.head, ...group.rows]).find((row) => row.subject === subject)?.cells[action]
  const hasRules = (group: MatrixGroup) =>
    group.rows.some((row) => actions.some((action) => row.cells[action].rules.length > 0))
  const isOpen = (group: MatrixGroup) => isUnfolded || (folds[group.noun] ?? hasRules(group))

  const shown = groups.flatMap((group) => [group.head, ...(isOpen(group) ? group.rows : [])])
  const first = shown[0]
  const stop =
    selected && shown.some((row) => row.subject === selected.subject)
      ? selected
      : first
        ? { subject: first.subject, action: actions[0] }
        : null

  const cycle = (place: Place) => {
    const cell = cellAt(place)
    if (cell && !isReadOnly) onSet(place, nextState(cell.state))
  }
  const onClick = (event: MouseEvent) => {
    const place = placeOf(event.target)
    if (!place) return
    onSelect(place)
    cycle(place)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const place = placeOf(event.target)
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-subject]')
    if (!place || !cell || event.altKey) return
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') {
      event.preventDefault()
      return onUndo()
    }
    if (event.ctrlKey || event.metaKey) return
    const isRtl = document.documentElement.dir === 'rtl'
    const to =
      event.key.startsWith('Arrow') && table.current
        ? neighbour(table.current, cell, event.key, isRtl)
        : event.key === 'Home' || event.key === 'End'
          ? edge(cell.closest('tr'), event.key === 'End')
          : null
    const state = letters[event.key]
    if (to) to.focus()
    else if (event.key === ' ') cycle(place)
    else if (event.key === 'Enter') onOpen(place)
    else if (state && !isReadOnly) onSet(place, state)
    else return
    event.preventDefault()
  }
  return (
    <div className="matrix-scroll" role="region" aria-label={label}>
      <table
        ref={table}
        // An editable grid: arrow keys walk from cell to cell.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
        role="grid"
        className="matrix"
        aria-label={label}
        aria-readonly={isReadOnly}
        onClick={onClick}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          const place = placeOf(event.target)
          if (place && (place.subject !== selected?.subject || place.action !== selected.action)) onSelect(place)
        }}
      >
        <thead>
          <tr>
            <th scope="col">{t('roles:matrix.subject')}</th>
            {actions.map((action) => (
              <th key={action} scope="col">
                <span className="matrix-action">
                  <Icon name={actionIcons[action]} size={18} />
                  <span className="matrix-action-name">{actionText(action)}</span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.noun}>
            <Row
              row={group.head}
              stop={stop}
              changed={changed}
              selected={selected}
              fold={
                group.rows.length
                  ? {
                      isOpen: isOpen(group),
                      count: group.rows.length,
                      toggle: () => setFolds({ ...folds, [group.noun]: !isOpen(group) }),
                    }
                  : undefined
              }
            />
            {isOpen(group)
              ? group.rows.map((row) => (
                  <Row key={row.subject} row={row} stop={stop} changed={changed} selected={selected} />
                ))
              : null}
          </tbody>
        ))}
      </table>
    </div>
  )
}

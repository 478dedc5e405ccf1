import { Alert, Button, Switch, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import type { CatalogueSubject } from '../../contract/roles.ts'
import { factsOfKind } from '../access/verdicts.ts'
import { rightText } from '../access/words.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { Peek } from '../core/ui/peek.tsx'
import { CellPanel } from './cell-panel.tsx'
import { matrixOf, type MatrixGroup } from './matrix-state.ts'
import { Matrix, type Place } from './matrix.tsx'
import type { RulesEditor } from './use-rules.ts'
import './roles.css'

export interface RightsEditorProps {
  name: string
  kind: 'staff' | 'guest'
  editor: RulesEditor
  catalogue: readonly CatalogueSubject[]
  isReadOnly: boolean
  firstFilter: string
  problems: ReadonlyMap<string, string>
  error: string | null
}

/** A group fits by its noun and shows all its rows, or shows the rows that fit. */
function filtered(groups: readonly MatrixGroup[], words: string, isUsedOnly: boolean): MatrixGroup[] {
  const wanted = words.trim().toLocaleLowerCase()
  const isUsed = (row: MatrixGroup['head']) => Object.values(row.cells).some((cell) => cell.rules.length > 0)
  const fits = (row: MatrixGroup['head']) =>
    !wanted || `${rightText('', row.subject)} ${row.subject}`.toLocaleLowerCase().includes(wanted)
  return groups.flatMap((group) => {
    const rows = group.rows.filter((row) => (fits(row) || fits(group.head)) && (!isUsedOnly || isUsed(row)))
    return rows.length || (fits(group.head) && (!isUsedOnly || isUsed(group.head))) ? [{ ...group, rows }] : []
  })
}

/** The matrix beside what is set on the chosen cell; on a phone that opens over it. */
export function RightsEditor({
  name,
  kind,
  editor,
  catalogue,
  isReadOnly,
  firstFilter,
  problems,
  error,
}: RightsEditorProps) {
  const t = useT('roles', 'access', 'common')
  const [filter, setFilter] = useState(firstFilter)
  const [isUsedOnly, setUsedOnly] = useState(false)
  const [selected, setSelected] = useState<Place | null>(null)
  const [isOpen, setOpen] = useState(false)
  const isWide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
  const facts = useMemo(() => factsOfKind(kind), [kind])
  const groups = useMemo(() => matrixOf(editor.drafts, catalogue, facts), [editor.drafts, catalogue, facts])
  const shown = useMemo(() => filtered(groups, filter, isUsedOnly), [groups, filter, isUsedOnly])
  const row = groups
    .flatMap((group) => [group.head, ...group.rows])
    .find((candidate) => candidate.subject === selected?.subject)
  const panel =
    selected && row ? (
      <CellPanel
        key={`${selected.action} ${selected.subject}`}
        place={selected}
        cell={row.cells[selected.action]}
        editor={editor}
        catalogue={catalogue}
        facts={facts}
        isReadOnly={isReadOnly}
        problems={problems}
      />
    ) : null
  const open = () => {
    if (!isWide) return setOpen(true)
    document.querySelector<HTMLElement>('.cell-panel :is(input, button, summary)')?.focus()
  }
  return (
    <div className="matrix-layout">
      <Card isFlush className="matrix-card">
        <div className="row matrix-toolbar no-print">
          <TextInput
            type="search"
            className="rights-search"
            aria-label={t('roles:matrix.filter')}
            placeholder={t('roles:matrix.filter')}
            leftSection={<Icon name="search" size={18} />}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
          <Switch
            label={t('roles:matrix.usedOnly')}
            checked={isUsedOnly}
            onChange={(event) => setUsedOnly(event.currentTarget.checked)}
          />
          {isReadOnly ? null : (
            <Button
              variant="default"
              leftSection={<Icon name="undo" size={18} />}
              disabled={!editor.undo}
              onClick={() => editor.undo?.()}
            >
              {t('common:undo')}
            </Button>
          )}
          {isWide ? null : (
            <Button
              variant="default"
              leftSection={<Icon name="settings" size={18} />}
              disabled={!panel}
              onClick={() => setOpen(true)}
            >
              {t('roles:panel.open')}
            </Button>
          )}
        </div>
        {error ? (
          <Alert color="red" variant="light" role="alert" className="matrix-error">
            {error}
          </Alert>
        ) : null}
        {shown.length ? (
          <Matrix
            groups={shown}
            label={t('roles:matrix.label', { name })}
            isReadOnly={isReadOnly}
            changed={editor.changed}
            selected={selected}
            onSelect={setSelected}
            onSet={({ subject, action }, state) => editor.set(subject, action, state)}
            onUndo={() => editor.undo?.()}
            onOpen={open}
            isUnfolded={filter.trim() !== '' || isUsedOnly}
          />
        ) : (
          <p className="muted matrix-none">{t('common:nothingFound')}</p>
        )}
        <p className="matrix-hint small muted">{t(isReadOnly ? 'roles:matrix.readOnlyHint' : 'roles:matrix.hint')}</p>
      </Card>
      {isWide ? (
        <div className="matrix-rail">
          <Card title={t('roles:panel.title')}>
            {panel ?? <p className="muted no-margin">{t('roles:panel.empty')}</p>}
          </Card>
        </div>
      ) : (
        <Peek isOpen={isOpen && panel !== null} onClose={() => setOpen(false)} title={t('roles:panel.title')}>
          {panel}
        </Peek>
      )}
    </div>
  )
}

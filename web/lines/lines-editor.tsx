import { Button } from '@mantine/core'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { AddersMenu } from './adders-menu.tsx'
import { LineRow } from './line-row.tsx'
import { inserted, moved, without } from './line-order.ts'
import { newLine, type EditableKind, type EditorLine, type Terms } from './line-state.ts'
import { useLineKeys, type LinesStore } from './lines-store.ts'
import './lines.css'

export interface LinesEditorProps {
  store: LinesStore
  priceMode: Terms['priceMode']
  isRegistered: boolean
  /** Quotes may have options and alternatives. */
  hasOptions?: boolean
  /** Only lines with a price: no headings, no texts. */
  isPricedOnly?: boolean
  /** What these lines are, where they are not the document's. */
  label?: string
}

const fields = {
  name: '[data-field="name"] :is(input, textarea)',
  quantity: '.line-quantity input',
  /** Of what the customer may choose the most: the least is there already. */
  most: '.line-range-fields > :nth-child(2) input',
}
const fieldOf = (key: string, field: keyof typeof fields) => `[data-line="${key}"] ${fields[field]}`

/** Adds, moves and drops lines, and says which one has the focus afterwards. */
function useLineActions(store: LinesStore, gstCode: EditorLine['gstCode']) {
  const box = useRef<HTMLDivElement>(null)
  const [next, setNext] = useState<{ key: string; field?: keyof typeof fields } | null>(null)
  // Once its row is drawn and the menu it was asked from is gone.
  useEffect(() => {
    if (!next) return
    box.current?.querySelector<HTMLElement>(fieldOf(next.key, next.field ?? 'name'))?.focus()
  }, [next])
  const actions = useMemo(() => {
    const at = (key: string) => store.keys().indexOf(key)
    const add = (index: number, kind: EditableKind = 'item', more: Partial<EditorLine> = {}) => {
      const line = { ...newLine(kind, gstCode), ...more }
      setNext({ key: line.key })
      store.set(inserted(store.get(), index, line))
    }
    const onEnter = (key: string) => {
      const group = store.line(key)?.alternativeGroup ?? null
      add(at(key) + 1, 'item', { alternativeGroup: group, isSelected: group === null })
    }
    return {
      add,
      onEnter,
      onNamed: (key: string, presses: number) => {
        const line = store.line(key)
        if (line?.productGuid === null && line.name.trim() !== '' && presses === 1) setNext({ key, field: 'quantity' })
        else onEnter(key)
      },
      onPicked: (key: string) => {
        // Whoever went on before the choice was known stays where they are.
        const isThere = document.activeElement === box.current?.querySelector(fieldOf(key, 'name'))
        if (isThere) setNext({ key, field: 'quantity' })
      },
      onMenuChange: (key: string, change: Partial<EditorLine>) => {
        setNext(change.range ? { key, field: 'most' } : { key })
        store.change(key, change)
      },
      onMove: (key: string, by: -1 | 1) => {
        setNext({ key })
        store.set(moved(store.get(), at(key), by))
      },
      onCopy: (key: string) => {
        const line = store.line(key)
        if (!line) return
        const { guid: _guid, key: _key, problems: _problems, ...rest } = line
        add(at(key) + 1, line.kind, { ...rest, isSelected: line.alternativeGroup ? false : line.isSelected })
      },
      onDefault: (key: string) => {
        const group = store.line(key)?.alternativeGroup
        const isOfGroup = (line: EditorLine) => line.alternativeGroup === group
        store.set(
          store
            .get()
            .map((line) =>
              isOfGroup(line) && line.isSelected !== (line.key === key)
                ? { ...line, isSelected: line.key === key }
                : line,
            ),
        )
      },
      onRemove: (key: string) => {
        const index = at(key)
        const left = without(store.get(), index)
        const neighbour = left[index] ?? left[index - 1]
        if (neighbour) setNext({ key: neighbour.key })
        store.set(left)
      },
    }
  }, [store, gstCode])
  return { box, actions }
}

/** The lines of a document: Enter adds a line, Alt with the arrows moves one. */
export const LinesEditor = memo(function LinesEditor({
  store,
  priceMode,
  isRegistered,
  hasOptions = false,
  isPricedOnly = false,
  label,
}: LinesEditorProps) {
  // Those of the questions come along: a row that waited for them would take the focus away from whoever types.
  const t = useT('lines', 'options', 'record', 'common', 'files')
  const keys = useLineKeys(store)
  const { box, actions } = useLineActions(store, isRegistered ? 'GST' : 'NOT_REGISTERED')
  const addOther = (kind: EditableKind, more: Partial<EditorLine> = {}) => actions.add(store.keys().length, kind, more)
  return (
    <div className="lines-editor" ref={box} role="group" aria-label={label ?? t('lines:title')}>
      <div className="line-grid line-grid-head" aria-hidden="true">
        <span>{t('lines:name')}</span>
        <span className="end">{t('lines:quantity')}</span>
        <span>{t('lines:unit')}</span>
        <span className="end">{t('lines:price')}</span>
        <span className="end">{t('lines:discount')}</span>
        <span>{t('lines:gst')}</span>
        <span className="end">{t('lines:amount')}</span>
        <span />
      </div>
      {keys.map((key, index) => (
        <LineRow
          key={key}
          store={store}
          lineKey={key}
          actions={actions}
          position={index + 1}
          priceMode={priceMode}
          isRegistered={isRegistered}
          hasOptions={hasOptions}
          isFirst={index === 0}
          isLast={index === keys.length - 1}
        />
      ))}
      <div className="row line-adders">
        <Button
          variant="light"
          size="sm"
          leftSection={<Icon name="create" size={16} />}
          onClick={() => actions.add(store.keys().length)}
        >
          {t('lines:addLine')}
        </Button>
        {isPricedOnly ? null : (
          <AddersMenu
            hasOptions={hasOptions}
            onAdd={addOther}
            onAlternative={() => addOther('item', { alternativeGroup: nextGroup(store.get()), isSelected: true })}
          />
        )}
        <span className="muted small line-hint">{t('lines:hint')}</span>
      </div>
    </div>
  )
})

/** A, B, C …: the first letter no group uses yet. */
function nextGroup(lines: readonly EditorLine[]): string {
  const used = new Set(lines.map((line) => line.alternativeGroup))
  return (
    Array.from({ length: 26 }, (_, i) => String.fromCodePoint(65 + i)).find((letter) => !used.has(letter)) ??
    `A${lines.length}`
  )
}

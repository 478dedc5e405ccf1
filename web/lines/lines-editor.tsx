import { Button, Menu } from '@mantine/core'
import { useEffect, useMemo, useRef } from 'react'
import type { FieldError } from '../../contract/core/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { LineRow } from './line-row.tsx'
import { inserted, isBlank, moved, newLine, priced, without, type EditableKind, type EditorLine, type Terms } from './line-state.ts'
import './lines.css'

export interface LinesEditorProps {
  lines: EditorLine[]
  onChange: (lines: EditorLine[]) => void
  terms: Terms
  isRegistered: boolean
  /** Quotes may have options and alternatives. */
  hasOptions?: boolean
  /** Errors of the server, with paths such as `lines.0.quantity` that count the lines that were sent. */
  errors?: readonly FieldError[]
}

/** Errors name lines as they were sent, without the blank ones. */
function errorsByKey(lines: readonly EditorLine[], errors: readonly FieldError[]): Map<string, Map<string, string>> {
  const sent = lines.filter((line) => !isBlank(line))
  const byKey = new Map<string, Map<string, string>>()
  for (const { path, message } of errors) {
    const [noun, index, field = 'name'] = path.split('.')
    const line = noun === 'lines' ? sent[Number(index)] : undefined
    if (line) byKey.set(line.key, (byKey.get(line.key) ?? new Map<string, string>()).set(field, message))
  }
  return byKey
}

/** The lines of a document: Enter adds a line, Alt with the arrows moves one. Priced while typing by the shared totals. */
export function LinesEditor({ lines, onChange, terms, isRegistered, hasOptions = false, errors = [] }: LinesEditorProps) {
  const t = useT('lines')
  const box = useRef<HTMLDivElement>(null)
  const focusNext = useRef<string | null>(null)
  // Beside a line stands what it comes to by itself; the discount on everything stands among the totals.
  const amounts = useMemo(() => priced(lines, { ...terms, discount: null }), [lines, terms])
  const problems = useMemo(() => errorsByKey(lines, errors), [lines, errors])
  const gstCode = isRegistered ? 'GST' : 'NOT_REGISTERED'

  useEffect(() => {
    if (!focusNext.current) return
    box.current?.querySelector<HTMLInputElement>(`[data-line="${focusNext.current}"] [data-field="name"] input, [data-line="${focusNext.current}"] input`)?.focus()
    focusNext.current = null
  }, [lines])

  const add = (index: number, kind: EditableKind = 'item', more: Partial<EditorLine> = {}) => {
    const line = { ...newLine(kind, gstCode), ...more }
    focusNext.current = line.key
    onChange(inserted(lines, index, line))
  }
  const replace = (index: number, line: EditorLine) => onChange(lines.map((other, i) => (i === index ? line : other)))
  const remove = (index: number) => {
    const next = without(lines, index)
    focusNext.current = (next[index] ?? next[index - 1])?.key ?? null
    onChange(next)
  }
  return (
    <div className="lines-editor" ref={box} role="group" aria-label={t('lines:title')}>
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
      {lines.map((line, index) => (
        <LineRow
          key={line.key}
          line={line}
          position={index + 1}
          amount={amounts?.lines[index]}
          priceMode={terms.priceMode}
          isRegistered={isRegistered}
          hasOptions={hasOptions}
          errors={problems.get(line.key)}
          isFirst={index === 0}
          isLast={index === lines.length - 1}
          onChange={(next) => replace(index, next)}
          onMenuChange={(next) => {
            focusNext.current = line.key
            replace(index, next)
          }}
          onEnter={() => add(index + 1, 'item', { alternativeGroup: line.alternativeGroup, isSelected: !line.alternativeGroup })}
          onMove={(by) => {
            focusNext.current = line.key
            onChange(moved(lines, index, by))
          }}
          onCopy={() => {
            const { guid: _guid, key: _key, ...rest } = line
            add(index + 1, line.kind, { ...rest, isSelected: line.alternativeGroup ? false : line.isSelected })
          }}
          onRemove={() => remove(index)}
        />
      ))}
      <div className="row line-adders">
        <Button variant="light" size="sm" leftSection={<Icon name="create" size={16} />} onClick={() => add(lines.length)}>
          {t('lines:addLine')}
        </Button>
        <Menu position="bottom-start" withInitialFocusPlaceholder={false} returnFocus={false}>
          <Menu.Target>
            <Button variant="subtle" size="sm" rightSection={<Icon name="down" size={14} />}>
              {t('lines:addOther')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => add(lines.length, 'section')}>{t('lines:addSection')}</Menu.Item>
            <Menu.Item onClick={() => add(lines.length, 'text')}>{t('lines:addText')}</Menu.Item>
            {hasOptions ? <Menu.Item onClick={() => add(lines.length, 'item', { isOptional: true, isSelected: false })}>{t('lines:addOption')}</Menu.Item> : null}
            {hasOptions ? <Menu.Item onClick={() => add(lines.length, 'item', { alternativeGroup: nextGroup(lines), isSelected: true })}>{t('lines:addAlternative')}</Menu.Item> : null}
          </Menu.Dropdown>
        </Menu>
        <span className="muted small line-hint">{t('lines:hint')}</span>
      </div>
    </div>
  )
}

/** A, B, C …: the first letter no group uses yet. */
function nextGroup(lines: readonly EditorLine[]): string {
  const used = new Set(lines.map((line) => line.alternativeGroup))
  return Array.from({ length: 26 }, (_, i) => String.fromCodePoint(65 + i)).find((letter) => !used.has(letter)) ?? `A${lines.length}`
}

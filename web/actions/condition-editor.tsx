import { Button, TagsInput, TextInput } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import { fieldName } from '../../contract/action-sentence.ts'
import {
  type Comparison,
  type Condition,
  type Emptiness,
  emptiness,
  isLeaf,
  type Leaf,
  maxNesting,
} from '../../contract/core/conditions.ts'
import { comparisonsOf, type EventField, type FieldType } from '../../contract/event-fields.ts'
import { useT, type T } from '../core/i18n/i18n.ts'
import { languageNow } from '../core/i18n/store.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DateInput } from '../core/ui/date-input.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { capital, groupOf, modeOf, modes, newLeaf, type Problems, problemIn, problemsOfPart } from './conditions.ts'

interface EditorProps {
  value: Condition | null
  onChange: (value: Condition | null) => void
  fields: readonly EventField[]
  problems: Problems | undefined
}

/** What has to hold: questions about single values, in groups that may stand in each other. */
export function ConditionEditor({ value, onChange, fields, problems }: EditorProps) {
  const t = useT('actions')
  const box = useRef<HTMLDivElement>(null)
  const isNone = value === null
  const wasNone = useRef(isNone)
  // The first condition is written next; behind the last one that was taken away one goes on adding.
  useEffect(() => {
    if (wasNone.current === isNone) return
    wasNone.current = isNone
    box.current?.querySelector<HTMLElement>(isNone ? 'button' : '.condition-parts input')?.focus()
  }, [isNone])
  return (
    <div ref={box}>
      {value ? (
        <Group
          value={isLeaf(value) ? { all: [value] } : value}
          onChange={onChange}
          fields={fields}
          problems={isLeaf(value) && problems ? ofOne(problems) : problems}
          depth={1}
        />
      ) : (
        <div className="stack">
          <p className="muted no-margin">{t('actions:always')}</p>
          <div>
            <Button
              variant="default"
              leftSection={<Icon name="create" size={16} />}
              disabled={fields.length === 0}
              onClick={() => onChange({ all: [newLeaf(fields)] })}
            >
              {t('actions:addCondition')}
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}
const ofOne = (problems: Problems): Problems => ({ all: [problems] })

interface GroupProps extends EditorProps {
  value: Condition
  /** How many groups it stands in, itself counted. */
  depth: number
}

function Group({ value, onChange, fields, problems, depth }: GroupProps) {
  const t = useT('actions')
  const { mode, parts } = modeOf(value)
  const box = useRef<HTMLFieldSetElement>(null)
  const count = useRef(parts.length)
  const name = useId()
  // What was added is written next; where something was taken away one goes on adding.
  useEffect(() => {
    const isMore = parts.length > count.current
    const isLess = parts.length < count.current
    count.current = parts.length
    const rows = box.current?.querySelectorAll<HTMLElement>(':scope > .condition-parts > *')
    if (isMore) rows?.[rows.length - 1]?.querySelector<HTMLElement>('input')?.focus()
    if (isLess) box.current?.querySelector<HTMLElement>(':scope > .condition-adds button')?.focus()
  }, [parts.length])
  const set = (next: readonly Condition[]) => onChange(next.length > 0 ? groupOf(mode, next) : null)
  const put = (i: number, part: Condition | null) =>
    set(parts.flatMap((old, at) => (at === i ? (part ? [part] : []) : [old])))
  const own = problemIn(problems, mode)
  return (
    <fieldset className="condition-group" ref={box}>
      <legend className="visually-hidden">{t('actions:group')}</legend>
      <ChoiceInput
        label={t('actions:groupHolds')}
        name={name}
        data={modes.map((one) => ({ value: one, label: t(`actions:modes.${one}`) }))}
        value={mode}
        onChange={(next) => onChange(groupOf(modes.find((one) => one === next) ?? 'all', parts))}
        error={own}
      />
      <div className="condition-parts">
        {parts.map((part, i) =>
          isLeaf(part) ? (
            <LeafRow
              // oxlint-disable-next-line react/no-array-index-key -- conditions have no names of their own
              key={i}
              leaf={part}
              fields={fields}
              problems={problemsOfPart(problems, value, i)}
              onChange={(next) => put(i, next)}
            />
          ) : (
            <Group
              // oxlint-disable-next-line react/no-array-index-key -- as above
              key={i}
              value={part}
              fields={fields}
              problems={problemsOfPart(problems, value, i)}
              onChange={(next) => put(i, next)}
              depth={depth + 1}
            />
          ),
        )}
      </div>
      <div className="row condition-adds">
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="create" size={16} />}
          onClick={() => set([...parts, newLeaf(fields)])}
        >
          {t('actions:addCondition')}
        </Button>
        {depth < maxNesting ? (
          <Button variant="subtle" size="xs" onClick={() => set([...parts, { any: [newLeaf(fields)] }])}>
            {t('actions:addGroup')}
          </Button>
        ) : null}
      </div>
    </fieldset>
  )
}

const isPlaceless = (is: string): is is Emptiness => emptiness.some((one) => one === is)

/** How a comparison reads between a field and its value. */
function comparisonText(t: T, is: Comparison | Emptiness, type: FieldType): string {
  const isDay = type === 'date' || type === 'dateTime'
  if (isDay && (is === 'above' || is === 'atLeast' || is === 'below' || is === 'atMost'))
    return t(`actions:isOfDay.${is}`)
  return t(`actions:is.${is}`)
}

interface LeafProps {
  leaf: Leaf
  fields: readonly EventField[]
  problems: Problems | undefined
  onChange: (leaf: Leaf | null) => void
}

function LeafRow({ leaf, fields, problems, onChange }: LeafProps) {
  const t = useT('actions')
  const language = languageNow()
  const type = fields.find(({ path }) => path === leaf.path)?.type ?? 'text'
  const asked = [...comparisonsOf[type], ...emptiness]
  const choose = (path: string | null) => {
    const field = fields.find((one) => one.path === path)
    if (field) onChange(field.type === type ? { ...leaf, path: field.path } : newLeaf([field]))
  }
  const compare = (is: string | null) => {
    if (is === null) return
    if (isPlaceless(is)) return onChange({ path: leaf.path, is })
    const value = 'value' in leaf ? [leaf.value].flat()[0] : ''
    onChange({
      path: leaf.path,
      is: is as Comparison,
      value: is === 'oneOf' ? [value ?? ''].filter(Boolean) : value,
    } as Leaf)
  }
  return (
    <div className="condition-row" role="group" aria-label={capital(fieldName(leaf.path, language))}>
      <ChoiceInput
        label={t('actions:field')}
        data={fields.map(({ path }) => ({ value: path, label: capital(fieldName(path, language)) }))}
        value={leaf.path}
        onChange={choose}
        error={problems?.path?.message}
      />
      <ChoiceInput
        label={t('actions:comparison')}
        data={asked.map((is) => ({ value: is, label: comparisonText(t, is, type) }))}
        value={leaf.is}
        onChange={compare}
        error={problems?.is?.message}
      />
      {'value' in leaf ? (
        <ValueInput
          type={type}
          value={leaf.value}
          onChange={(value) => onChange({ ...leaf, value } as Leaf)}
          error={problems?.value?.message ?? problems?.value?.root?.message}
        />
      ) : (
        <span />
      )}
      <div className="condition-remove">
        <IconTool icon="delete" label={t('actions:removeCondition')} onClick={() => onChange(null)} />
      </div>
    </div>
  )
}

type Value = Extract<Leaf, { value: unknown }>['value']
interface ValueProps {
  type: FieldType
  value: Value
  onChange: (value: Value | null) => void
  error: string | undefined
}

function ValueInput({ type, value, onChange, error }: ValueProps) {
  const t = useT('actions', 'common')
  const common = { label: t('actions:value'), error }
  if (Array.isArray(value))
    return <TagsInput {...common} value={value.map(String)} onChange={onChange} acceptValueOnBlur clearable={false} />
  if (type === 'money')
    return <MoneyInput {...common} value={typeof value === 'number' ? value : null} onChange={onChange} />
  if (type === 'date' || type === 'dateTime')
    return <DateInput {...common} value={typeof value === 'string' ? value : ''} onChange={onChange} />
  if (type === 'boolean')
    return (
      <ChoiceInput
        {...common}
        data={(['yes', 'no'] as const).map((one) => ({ value: one, label: t(`common:${one}`) }))}
        value={value === true ? 'yes' : 'no'}
        onChange={(next) => onChange(next === 'yes')}
      />
    )
  if (type === 'number')
    return (
      <TextInput
        {...common}
        inputMode="numeric"
        autoComplete="off"
        value={typeof value === 'number' ? String(value) : ''}
        onChange={(event) => {
          const digits = event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 9)
          onChange(digits ? Number(digits) : null)
        }}
      />
    )
  return (
    <TextInput
      {...common}
      autoComplete="off"
      maxLength={200}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

import { Button, Switch, TagsInput, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { z } from 'zod'
import { deedName } from '../../contract/action-sentence.ts'
import {
  type ActionChoices,
  type ActionEffect,
  deedsFor,
  effectSchemas,
  effectsFor,
  type EffectType,
  templateFits,
} from '../../contract/actions.ts'
import type { NounName } from '../../contract/nouns.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { languageNow } from '../core/i18n/store.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { emptyEffects } from './action-values.ts'
import { capital } from './conditions.ts'

type EffectProblems = Readonly<Record<string, { message?: string } | undefined>> & { message?: string }
export type EffectsProblems = readonly (EffectProblems | undefined)[] & {
  message?: string
  root?: { message?: string }
}

interface EditorProps {
  value: readonly ActionEffect[]
  onChange: (value: ActionEffect[]) => void
  noun: NounName | null
  choices: ActionChoices
  problems: EffectsProblems | undefined
}

const most = 5

/** What is done, in order: each effect with the fields that its schema has. */
export function EffectEditor({ value, onChange, noun, choices, problems }: EditorProps) {
  const t = useT('actions')
  const box = useRef<HTMLDivElement>(null)
  const count = useRef(value.length)
  useEffect(() => {
    const isMore = value.length > count.current
    const isLess = value.length < count.current
    count.current = value.length
    const items = box.current?.querySelectorAll<HTMLElement>(':scope > ol > li')
    if (isMore) items?.[items.length - 1]?.querySelector<HTMLElement>('input')?.focus()
    if (isLess) box.current?.querySelector<HTMLElement>(':scope > .effect-add button')?.focus()
  }, [value.length])
  const offered = effectsFor(noun)
  const put = (i: number, effect: ActionEffect | null) =>
    onChange(value.flatMap((old, at) => (at === i ? (effect ? [effect] : []) : [old])))
  const swap = (i: number) => {
    const next = [...value]
    const [a, b] = [value[i - 1], value[i]]
    if (!a || !b) return
    next[i - 1] = b
    next[i] = a
    onChange(next)
  }
  const message = problems?.message ?? problems?.root?.message
  return (
    <div className="stack" ref={box}>
      {value.length > 0 ? (
        <ol className="effect-list">
          {value.map((effect, i) => (
            // oxlint-disable-next-line react/no-array-index-key -- effects have no names of their own
            <li key={i} className="effect" aria-label={t(`actions:effects.${effect.type}`)}>
              <div className="row effect-head">
                <ChoiceInput
                  label={t('actions:effect')}
                  data={offered.map((type) => ({ value: type, label: t(`actions:effects.${type}`) }))}
                  value={effect.type}
                  onChange={(type) => type && put(i, emptyEffects[type as EffectType])}
                  error={problems?.[i]?.['type']?.message ?? problems?.[i]?.message}
                />
                <IconTool icon="up" label={t('actions:moveUp')} isDisabled={i === 0} onClick={() => swap(i)} />
                <IconTool icon="delete" label={t('actions:removeEffect')} onClick={() => put(i, null)} />
              </div>
              <EffectFields
                effect={effect}
                onChange={(next) => put(i, next)}
                noun={noun}
                choices={choices}
                problems={problems?.[i]}
              />
            </li>
          ))}
        </ol>
      ) : null}
      {message ? (
        <span className="field-error" role="alert">
          {message}
        </span>
      ) : null}
      <div className="effect-add">
        <Button
          variant="default"
          leftSection={<Icon name="create" size={16} />}
          disabled={value.length >= most}
          onClick={() => onChange([...value, emptyEffects.notify])}
        >
          {t('actions:addEffect')}
        </Button>
      </div>
    </div>
  )
}

interface FieldsProps {
  effect: ActionEffect
  onChange: (effect: ActionEffect) => void
  noun: NounName | null
  choices: ActionChoices
  problems: EffectProblems | undefined
}

function EffectFields({ effect, onChange, problems, ...known }: FieldsProps) {
  const shape: Readonly<Record<string, z.ZodType>> = effectSchemas[effect.type].shape
  return (
    <div className="effect-fields">
      {Object.entries(shape).flatMap(([name, schema]) =>
        name === 'type'
          ? []
          : [
              <EffectField
                key={name}
                type={effect.type}
                name={name}
                schema={schema}
                value={(effect as Readonly<Record<string, unknown>>)[name]}
                onChange={(value) => onChange({ ...effect, [name]: value } as ActionEffect)}
                error={problems?.[name]?.message}
                {...known}
              />,
            ],
      )}
    </div>
  )
}

interface FieldProps {
  type: EffectType
  name: string
  schema: z.ZodType
  value: unknown
  onChange: (value: unknown) => void
  error: string | undefined
  noun: NounName | null
  choices: ActionChoices
}

/** One field of an effect, as its schema says: a switch, one of a few, tags, a record, or a text. */
function EffectField({ type, name, schema, value, onChange, error, noun, choices }: FieldProps) {
  const t = useT('actions')
  const label = phraseOr(`actions:fields.${type}.${name}`, name)
  const common = { label, error }
  if (schema instanceof z.ZodBoolean)
    return <Switch label={label} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
  if (schema instanceof z.ZodArray)
    return (
      <TagsInput
        {...common}
        value={value as string[]}
        onChange={onChange}
        acceptValueOnBlur
        clearable={false}
        maxTags={20}
      />
    )
  if (schema instanceof z.ZodUnion)
    return (
      <ChoiceInput
        {...common}
        data={[
          { value: 'recordOwner', label: t('actions:recordOwner') },
          ...choices.roles.map((role) => ({ value: `role ${role.guid}`, label: role.label, hint: t('actions:role') })),
          ...choices.users.map((user) => ({ value: `user ${user.guid}`, label: user.label, hint: t('actions:user') })),
        ]}
        value={listenerText(value)}
        onChange={(chosen) => onChange(listenerOf(chosen))}
      />
    )
  const options = optionsOf({ name, type, schema, noun, choices })
  if (options)
    return (
      <ChoiceInput {...common} data={options} value={String(value) || null} onChange={(one) => onChange(one ?? '')} />
    )
  return (
    <TextInput
      {...common}
      autoComplete="off"
      maxLength={200}
      value={String(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

type Listener = Extract<ActionEffect, { type: 'notify' }>['to']

/** Whom a message goes to, as one choice. */
function listenerText(value: unknown): string {
  const to = value as Listener
  if (to === 'recordOwner') return to
  return 'roleGuid' in to ? `role ${to.roleGuid}` : `user ${to.userGuid}`
}
function listenerOf(chosen: string | null): Listener {
  const [kind, guid = ''] = (chosen ?? '').split(' ')
  if (kind === 'role') return { roleGuid: guid }
  return kind === 'user' ? { userGuid: guid } : 'recordOwner'
}

type Choosing = Pick<FieldProps, 'name' | 'type' | 'schema' | 'noun' | 'choices'>

/** What a field may be set to, where that is one of a few; null where it is free. */
function optionsOf({ name, type, schema, noun, choices }: Choosing): { value: string; label: string }[] | null {
  const records = (list: readonly { guid: string; label: string }[]) =>
    list.map(({ guid, label }) => ({ value: guid, label }))
  if (name === 'templateGuid') return records(choices.templates.filter(({ kind }) => templateFits(kind, noun)))
  if (name === 'webhookGuid') return records(choices.webhooks)
  if (!(schema instanceof z.ZodEnum)) return null
  if (name === 'deed')
    return Object.keys(deedsFor(noun)).map((deed) => ({
      value: deed,
      label: capital(deedName(noun ?? '', deed, languageNow())),
    }))
  return schema.options.map((option) => ({
    value: String(option),
    label: phraseOr(`actions:options.${type}.${name}.${String(option)}`, String(option)),
  }))
}

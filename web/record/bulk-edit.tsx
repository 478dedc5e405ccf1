import { Checkbox } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { Control, FieldValues } from 'react-hook-form'
import { z } from 'zod'
import type { Op } from '../../contract/core/op.ts'
import { useRun } from '../core/api/hooks.ts'
import { useT, type T } from '../core/i18n/i18n.ts'
import type { PhraseKey } from '../core/i18n/phrases.ts'
import type { BulkFormProps, BulkResult } from '../core/ui/table/types.ts'
import { FormDialog } from './form-dialog.tsx'
import type { FieldRow, Fields } from './record-facts.tsx'
import { RecordField } from './record-fields.tsx'
import { TagsField } from './tag-fields.tsx'
import { useSchemaForm } from './schema-form.ts'

export interface BulkEditProps<I extends object> extends BulkFormProps {
  op: Op
  /** So many of them, in words. */
  counted: PhraseKey
  /** What the fields are called. */
  of: Fields<I>
  /** Fields that are no record's, by the names that the operation has for them. */
  own?: Readonly<Record<string, OwnField>>
  /** Reads the tags its records have. */
  tagsOp?: Op
}

interface OwnField {
  label: PhraseKey
  /** What it holds at first. */
  defaults: object | null
  draw: (control: BulkControl) => ReactNode
}
export type BulkControl = Control<FieldValues, unknown, Record<string, unknown>>

const setOf = (op: Op) => (op.body as z.ZodObject<{ set: z.ZodObject<Record<string, z.ZodType>> }>).shape.set

/** Tags are added to those that each record has, and taken away where they are. */
const tagFields = (t: T, tagsOp: Op): Record<string, OwnField> =>
  Object.fromEntries(
    (['addTags', 'removeTags'] as const).map((name) => [
      name,
      {
        label: `record:tags.${name}`,
        defaults: [],
        draw: (control) => <TagsField control={control} name={name} label={t(`record:tags.${name}`)} op={tagsOp} />,
      },
    ]),
  )

/** The fields that many records may be given at once: those that are ticked are set, the others stay as they are. */
export function BulkEdit<I extends object>({
  op,
  counted,
  of,
  own: given = {},
  tagsOp,
  rows,
  onClose,
  onDone,
}: BulkEditProps<I>) {
  const t = useT('record', 'common')
  const send = useRun()
  const own = { ...given, ...(tagsOp ? tagFields(t, tagsOp) : {}) }
  const shape = setOf(op).shape
  const names = Object.keys(shape)
  const [ticked, setTicked] = useState<readonly string[]>([])
  const chosen = z.object(
    Object.fromEntries(ticked.map((name) => [name, (shape[name] as z.ZodOptional<z.ZodType>).unwrap()])),
  )
  const form = useSchemaForm<FieldValues, Record<string, unknown>>(
    chosen,
    Object.fromEntries(names.map((name) => [name, own[name] ? own[name].defaults : ''])),
  )
  const tick = (name: string, isOn: boolean) =>
    setTicked(names.filter((one) => (one === name ? isOn : ticked.includes(one))))
  const save = async (set: Record<string, unknown>) =>
    onDone((await send(op, { action: 'edit', set, rows } as never)) as BulkResult)
  return (
    <FormDialog
      form={form}
      title={t('record:bulkEdit.title', { what: t(counted, { count: rows.length }) })}
      action={t('record:bulkEdit.save')}
      isBlocked={ticked.length === 0}
      onSave={save}
      onClose={onClose}
    >
      <p className="muted no-margin">{t('record:bulkEdit.hint')}</p>
      {names.map((name) => {
        const label = own[name]?.label ?? (of.rows as Record<string, FieldRow>)[name]?.label
        const isOn = ticked.includes(name)
        return label ? (
          <div key={name} className="stack bulk-field">
            <Checkbox label={t(label)} checked={isOn} onChange={(event) => tick(name, event.currentTarget.checked)} />
            {isOn
              ? (own[name]?.draw(form.control) ?? (
                  <RecordField of={of} control={form.control} name={name as keyof I & string} />
                ))
              : null}
          </div>
        ) : null
      })}
    </FormDialog>
  )
}

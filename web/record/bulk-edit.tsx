import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import type { Op } from '../../contract/core/op.ts'
import { useRun } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BulkFormProps, BulkResult } from '../core/ui/table/types.ts'
import { FormDialog } from './form-dialog.tsx'
import type { FieldRow, Fields } from './record-facts.tsx'
import { RecordField } from './record-fields.tsx'
import { useSchemaForm } from './schema-form.ts'

export interface BulkEditProps<I extends object> extends BulkFormProps {
  op: Op
  /** What the fields are called. */
  of: Fields<I>
}

const setOf = (op: Op) => (op.body as z.ZodObject<{ set: z.ZodObject<Record<string, z.ZodType>> }>).shape.set

/** The fields that many records may be given at once: those that are ticked are set, the others stay as they are. */
export function BulkEdit<I extends object>({ op, of, rows, onClose, onDone }: BulkEditProps<I>) {
  const t = useT('record', 'common')
  const send = useRun()
  const shape = setOf(op).shape
  const names = Object.keys(shape)
  const [ticked, setTicked] = useState<readonly string[]>([])
  const chosen = z.strictObject(
    Object.fromEntries(ticked.map((name) => [name, (shape[name] as z.ZodOptional<z.ZodType>).unwrap()])),
  )
  const form = useSchemaForm<Record<string, string>, Record<string, unknown>>(
    chosen as z.ZodType<Record<string, unknown>>,
    Object.fromEntries(names.map((name) => [name, ''])),
  )
  const tick = (name: string, isOn: boolean) =>
    setTicked(names.filter((one) => (one === name ? isOn : ticked.includes(one))))
  const save = async () => {
    const values = form.getValues()
    const set = chosen.parse(
      Object.fromEntries(ticked.map((name) => [name, values[name] === '' ? null : values[name]])),
    )
    onDone((await send(op, { action: 'edit', set, rows } as never)) as BulkResult)
  }
  return (
    <FormDialog
      form={form}
      title={t('record:bulkEdit.title', { count: rows.length })}
      action={t('record:bulkEdit.save')}
      isBlocked={ticked.length === 0}
      onSave={save}
      onClose={onClose}
    >
      <p className="muted no-margin">{t('record:bulkEdit.hint')}</p>
      {names.map((name) => {
        const row = (of.rows as Record<string, FieldRow>)[name]
        const isOn = ticked.includes(name)
        return row ? (
          <div key={name} className="stack bulk-field">
            <Checkbox
              label={t(row.label)}
              checked={isOn}
              onChange={(event) => tick(name, event.currentTarget.checked)}
            />
            {isOn ? <RecordField of={of} control={form.control} name={name as never} /> : null}
          </div>
        ) : null
      })}
    </FormDialog>
  )
}

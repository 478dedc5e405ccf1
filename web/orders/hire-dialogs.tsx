import { z } from 'zod'
import { day, quantity } from '../../contract/core/common.ts'
import { hireRhythms, type HireItem, type ShownHire } from '../../contract/hire-runs.ts'
import { ordersApi, type Order } from '../../contract/orders.ts'
import { ApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateField, SelectField, TextField } from '../core/ui/fields.tsx'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { useSchemaForm } from '../record/schema-form.ts'

const startInput = z.strictObject({ on: day, every: z.enum(hireRhythms) })
type StartInput = z.infer<typeof startInput>
const backInput = z.strictObject({ off: day, units: quantity })
type BackInput = z.infer<typeof backInput>

/** Sends one line's hire; what is wrong with it is said at the fields of its form. */
function useHire(order: Order, said: string) {
  const write = useWrite(ordersApi.hire)
  return async (item: HireItem) => {
    try {
      await write.mutateAsync({ guid: order.guid, version: order.version, items: [item] })
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      const errors = failure.errors.map(({ path, message }) => ({ path: path.replace('items.0.', ''), message }))
      throw new ApiError(failure.message, failure.error, failure.responseCode, { ...failure, errors })
    }
    toast.success(said)
  }
}

interface OnHire {
  order: Order
  line: Pick<Order['lines'][number], 'guid' | 'name' | 'hireFrom'>
  onClose: () => void
}

/** Puts a line on hire from a day. */
export function OnHireDialog({ order, line, onClose }: OnHire) {
  const t = useT('orders')
  const form = useSchemaForm<StartInput, StartInput>(startInput, { on: line.hireFrom ?? '', every: '28' })
  const save = useHire(order, t('orders:hire.started', { name: line.name }))
  const { control } = form
  return (
    <FormDialog
      form={form}
      title={t('orders:hire.startTitle', { name: line.name })}
      action={t('orders:hire.start')}
      size="md"
      onSave={(input) => save({ lineGuid: line.guid, ...input })}
      onClose={onClose}
    >
      <DateField control={control} name="on" label={t('orders:hire.first')} isRequired />
      <SelectField
        control={control}
        name="every"
        label={t('orders:hire.every')}
        options={hireRhythms.map((value) => ({ value, label: t(`orders:hire.rhythms.${value}`) }))}
        isRequired
      />
    </FormDialog>
  )
}

/** Takes units back from hire on a day. */
export function ReturnDialog({ order, hire, onClose }: { order: Order; hire: ShownHire; onClose: () => void }) {
  const t = useT('orders')
  const form = useSchemaForm<BackInput, BackInput>(backInput, { off: '', units: hire.unitsOut })
  const save = useHire(order, t('orders:hire.returned', { name: hire.name }))
  const { control } = form
  return (
    <FormDialog
      form={form}
      title={t('orders:hire.backTitle', { name: hire.name })}
      action={t('orders:hire.back')}
      size="md"
      onSave={(input) => save({ lineGuid: hire.lineGuid, ...input })}
      onClose={onClose}
    >
      <DateField
        control={control}
        name="off"
        label={t('orders:hire.last')}
        description={t('orders:hire.lastHint')}
        isRequired
      />
      <TextField control={control} name="units" label={t('orders:hire.units')} isRequired />
    </FormDialog>
  )
}

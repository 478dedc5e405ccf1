import { businessesApi } from '../../contract/businesses.ts'
import { costInput, type CostInput } from '../../contract/order-parts.ts'
import { ordersApi } from '../../contract/orders.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateField, MoneyField, TextField } from '../core/ui/fields.tsx'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { formValues, type FormValues } from '../record/form-values.ts'
import { useSchemaForm } from '../record/schema-form.ts'

interface CostDialogProps {
  guid: string
  onClose: () => void
}

/** Adds what was spent on an order; today, if nothing else is said. */
export function CostDialog(props: CostDialogProps) {
  const { data, isPending } = useRead(businessesApi.current, {})
  return isPending ? null : <CostForm {...props} today={data?.business.today ?? ''} />
}

function CostForm({ guid, today, onClose }: CostDialogProps & { today: string }) {
  const t = useT('orders', 'record')
  const form = useSchemaForm<FormValues<CostInput>, CostInput>(costInput, { ...formValues(costInput), on: today })
  const add = useWrite(ordersApi.addCost)
  const { control } = form
  return (
    <FormDialog
      form={form}
      title={t('orders:costs.add')}
      action={t('orders:costs.add')}
      size="md"
      onSave={async (input) => {
        await add.mutateAsync({ guid, ...input })
        toast.success(t('orders:costs.added'))
      }}
      onClose={onClose}
    >
      <TextField control={control} name="text" label={t('orders:costs.text')} isRequired />
      <div className="grid-2 form-grid">
        <DateField control={control} name="on" label={t('orders:costs.on')} isRequired />
        <MoneyField
          control={control}
          name="cents"
          label={t('orders:costs.amount')}
          description={t('orders:costs.correct')}
          isRequired
        />
      </div>
    </FormDialog>
  )
}

import { ordersApi } from '../../contract/orders.ts'
import type { BulkFormProps } from '../core/ui/table/types.ts'
import { jobTypeOfMany } from '../lines/job-type-choice.tsx'
import { BulkEdit } from '../record/bulk-edit.tsx'
import { AssignedField } from './assigned-field.tsx'
import { orderFields } from './order-form.tsx'

export const EditOrders = (props: BulkFormProps) => (
  <BulkEdit
    {...props}
    op={ordersApi.edit}
    counted="orders:counted"
    tagsOp={ordersApi.tags}
    of={orderFields}
    own={{
      assignedGuid: {
        label: 'orders:assignedTo',
        defaults: null,
        draw: (control) => <AssignedField control={control} name="assignedGuid" />,
      },
      jobTypeGuid: jobTypeOfMany,
    }}
  />
)

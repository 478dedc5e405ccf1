import { customersApi } from '../../contract/customers.ts'
import type { BulkFormProps } from '../core/ui/table/types.ts'
import { BulkEdit } from '../record/bulk-edit.tsx'
import { customerFields } from './customer-fields.ts'

export const EditCustomers = (props: BulkFormProps) => (
  <BulkEdit
    {...props}
    op={customersApi.edit}
    counted="customers:counted"
    tagsOp={customersApi.tags}
    of={customerFields}
  />
)

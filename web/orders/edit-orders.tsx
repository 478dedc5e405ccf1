import { ordersApi } from '../../contract/orders.ts'
import type { BulkFormProps } from '../core/ui/table/types.ts'
import { BulkEdit } from '../record/bulk-edit.tsx'
import { orderFields } from './order-form.tsx'

export const EditOrders = (props: BulkFormProps) => <BulkEdit {...props} op={ordersApi.edit} of={orderFields} />

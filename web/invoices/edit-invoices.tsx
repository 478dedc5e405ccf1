import { z } from 'zod'
import { invoicesApi } from '../../contract/invoices.ts'
import type { BulkFormProps } from '../core/ui/table/types.ts'
import { BulkEdit } from '../record/bulk-edit.tsx'

/** Of many invoices only the tags are changed at once. */
const noFields = { schema: z.object({}), rows: {} }

export const EditInvoices = (props: BulkFormProps) => (
  <BulkEdit {...props} op={invoicesApi.edit} counted="invoices:counted" of={noFields} tagsOp={invoicesApi.tags} />
)

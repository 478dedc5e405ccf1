import { quotesApi } from '../../contract/quotes.ts'
import type { BulkFormProps } from '../core/ui/table/types.ts'
import { jobTypeOfMany } from '../lines/job-type-choice.tsx'
import { BulkEdit } from '../record/bulk-edit.tsx'
import { quoteFields } from './quote-form.tsx'

export const EditQuotes = (props: BulkFormProps) => (
  <BulkEdit
    {...props}
    op={quotesApi.edit}
    counted="quotes:counted"
    tagsOp={quotesApi.tags}
    of={quoteFields}
    own={{ jobTypeGuid: jobTypeOfMany }}
  />
)

import { revenueStreamsApi } from '../../contract/revenue-streams.ts'
import type { BulkFormProps } from '../core/ui/table/types.ts'
import { BulkEdit } from '../record/bulk-edit.tsx'
import { ParentField } from './parent-field.tsx'
import { streamFields } from './stream-fields.ts'

export const EditStreams = (props: BulkFormProps) => (
  <BulkEdit
    {...props}
    op={revenueStreamsApi.edit}
    counted="products:streams.counted"
    of={streamFields}
    own={{
      parentGuid: {
        label: 'products:streams.parent',
        defaults: null,
        draw: (control) => <ParentField control={control} guid={null} />,
      },
    }}
  />
)

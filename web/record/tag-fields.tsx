import { Input } from '@mantine/core'
import type { Op } from '../../contract/core/op.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useField } from '../core/ui/fields.tsx'
import type { BulkControl } from './bulk-edit.tsx'
import { Tag } from './tag.tsx'
import { TagInput } from './tag-input.tsx'
import './tags.css'

/** Tags of a form: nothing happens to a record until it is sent. */
export function TagsField({ control, name, label, op }: { control: BulkControl; name: string; label: string; op: Op }) {
  const t = useT('record')
  const { value, set, common } = useField({ control, name, label })
  const tags = Array.isArray(value) ? value.map(String) : []
  const without = (tag: string) => set(tags.filter((one) => one !== tag))
  return (
    <Input.Wrapper label={label} error={common.error} labelElement="div">
      <div className="tags" role="group" aria-label={label}>
        {tags.map((tag) => (
          <Tag key={tag} tag={tag} onRemove={() => without(tag)} />
        ))}
        <TagInput
          op={op}
          tags={tags}
          label={t('record:tags.find')}
          onAdd={(tag) => set([...tags, tag])}
          onRemove={without}
        />
      </div>
    </Input.Wrapper>
  )
}

import { lazy, Suspense, useRef, useState } from 'react'
import type { Op } from '../../contract/core/op.ts'
import { maxTags } from '../../contract/core/tagging.ts'
import { useMay } from '../core/api/can.ts'
import { useRun } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { toast } from '../core/ui/toast.tsx'
import { Tag } from './tag.tsx'
import './tags.css'

/** Tags are put on now and then: the field is fetched when it is. */
const TagInput = lazy(() => import('./tag-input.tsx').then((module) => ({ default: module.TagInput })))

/** How the tags of a noun are read and changed. */
export interface TagOps {
  tags: Op
  tag: Op
}

/** Tags where nothing is changed. */
export const Tags = ({ tags }: { tags: readonly string[] }) => (
  <span className="tags">
    {tags.map((tag) => (
      <Tag key={tag} tag={tag} />
    ))}
  </span>
)

/** The tags of a record; whoever may change it adds some and takes them away. */
export function TagList({ guid, tags: known, ops }: { guid: string; tags: readonly string[]; ops: TagOps }) {
  const t = useT('record', 'common')
  const may = useMay()
  const run = useRun()
  const errorText = useErrorText()
  const [isAdding, setAdding] = useState(false)
  const [isBusy, setBusy] = useState(false)
  /** As the last change left them, until the record is read anew. */
  const [changed, setChanged] = useState<{ known: readonly string[]; tags: readonly string[] } | null>(null)
  const tags = changed?.known === known ? changed.tags : known
  const box = useRef<HTMLDivElement>(null)
  const mayChange = may(ops.tag)
  if (!mayChange) return tags.length > 0 ? <Tags tags={tags} /> : null
  const change = async (what: { add: string[] } | { remove: string[] }) => {
    setBusy(true)
    try {
      const { tags: now } = (await run(ops.tag, { guid, ...what } as never)) as { tags: string[] }
      setChanged({ known, tags: now })
    } catch (error) {
      toast.error(errorText(error))
    }
    setBusy(false)
  }
  const close = () => {
    setAdding(false)
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('.tag-add')?.focus())
  }
  return (
    <div ref={box} className="tags no-print-empty" role="group" aria-label={t('common:tags')} aria-busy={isBusy}>
      {tags.map((tag) => (
        <Tag
          key={tag}
          tag={tag}
          onRemove={() => {
            void change({ remove: [tag] })
            // The button that was pressed goes with its tag.
            box.current?.querySelector<HTMLElement>('input, .tag-add')?.focus()
          }}
        />
      ))}
      {isAdding ? (
        <Suspense>
          <TagInput
            op={ops.tags}
            tags={tags}
            label={t('record:tags.find')}
            onAdd={(tag) => void change({ add: [tag] })}
            onRemove={(tag) => void change({ remove: [tag] })}
            onClose={close}
            onLeave={() => setAdding(false)}
          />
        </Suspense>
      ) : tags.length < maxTags ? (
        <button type="button" className="tag-add no-print" onClick={() => setAdding(true)}>
          <Icon name="create" size={14} />
          {t('record:tags.add')}
        </button>
      ) : null}
    </div>
  )
}

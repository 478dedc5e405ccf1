import { useState } from 'react'
import type { Op } from '../../contract/core/op.ts'
import { maxTagLength, maxTags, tagKey } from '../../contract/core/tagging.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ComboInput, useSearchText } from '../core/ui/combo-input.tsx'
import type { ComboOption } from '../core/ui/combo-list.tsx'

const newTag = '\u0000new'

interface TagInputProps {
  /** Reads the tags that records of the noun have. */
  op: Op
  tags: readonly string[]
  label: string
  onAdd: (tag: string) => void
  onRemove: (tag: string) => void
  /** Escape with nothing open. */
  onClose?: () => void
  /** Elsewhere is gone on, with nothing typed. */
  onLeave?: () => void
}

/**
 * One tag after the other: those that are known, and Enter for a new one. Backspace in the empty field takes the last.
 */
export function TagInput({ op, tags, label, onAdd, onRemove, onClose, onLeave }: TagInputProps) {
  const t = useT('record')
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const typed = text.trim()
  const { search, isSettled, hurry } = useSearchText(typed)
  const read = useRead(op, (search ? { search } : {}) as never, { enabled: isOpen, keep: true })
  const known = (read.data as { items: string[] } | undefined)?.items ?? []
  const chosen = new Set(tags.map(tagKey))
  const fitting = known.filter((tag) => !chosen.has(tagKey(tag)) && tagKey(tag).includes(tagKey(typed)))
  const exact = fitting.find((tag) => tagKey(tag) === tagKey(typed))
  const isNew = typed !== '' && !exact && !chosen.has(tagKey(typed))
  const options: ComboOption[] = [
    ...(isNew ? [{ value: newTag, label: t('record:tags.new', { tag: typed }), isAction: true }] : []),
    ...(exact ? [{ value: exact, label: exact }] : []),
    ...fitting.filter((tag) => tag !== exact).map((tag) => ({ value: tag, label: tag })),
  ]
  const add = (tag: string) => {
    const plain = tag.trim()
    if (plain && !chosen.has(tagKey(plain))) onAdd(plain)
    setText('')
  }
  return (
    <ComboInput
      className="tag-field"
      size="xs"
      aria-label={label}
      placeholder={label}
      listLabel={label}
      autoFocus
      maxLength={maxTagLength}
      disabled={tags.length >= maxTags}
      text={text}
      onText={(next) => {
        // A comma ends a tag, also one that is pasted.
        const [first = '', ...others] = next.split(/[,;\n]/)
        if (others.length === 0) return setText(next)
        for (const tag of [first, ...others.slice(0, -1)]) add(tag)
        setText(others.at(-1)?.trimStart() ?? '')
      }}
      options={options}
      onPick={(value) => add(value === newTag ? typed : value)}
      isOpen={isOpen}
      onOpen={setOpen}
      isCurrent={typed !== '' || (isSettled && !read.isFetching)}
      onHurry={hurry}
      onKeyDown={(event) => {
        if (event.key === 'Backspace' && text === '' && tags.length > 0) onRemove(tags.at(-1) ?? '')
        if (event.key === 'Escape' && !event.isDefaultPrevented()) onClose?.()
        // A form around it is not sent.
        if (event.key === 'Enter') event.preventDefault()
      }}
      onBlur={() => {
        if (typed) add(typed)
        onLeave?.()
      }}
    />
  )
}

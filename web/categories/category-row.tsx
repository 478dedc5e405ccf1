import { TextInput } from '@mantine/core'
import { useState, type DragEvent, type KeyboardEvent } from 'react'
import type { Category } from '../../contract/categories.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import type { Step } from './tree.ts'

export type Where = 'before' | 'inside' | 'after'

export interface CategoryRowProps {
  category: Category
  isChosen: boolean
  mayEdit: boolean
  mayAdd: boolean
  mayArchive: boolean
  onChoose: () => void
  onRename: (name: string) => Promise<unknown>
  onStep: (step: Step) => void
  onAdd: () => void
  onArchive: () => void
  onDragStart: () => void
  onDrop: (where: Where) => void
}

const edge = 0.3
function whereOf(event: DragEvent<HTMLElement>): Where {
  const { top, height } = event.currentTarget.getBoundingClientRect()
  const at = (event.clientY - top) / height
  return at < edge ? 'before' : at > 1 - edge ? 'after' : 'inside'
}

/** To the left is out where one reads from left to right, and in where one reads the other way. */
function stepOf(event: KeyboardEvent<HTMLElement>): Step | null {
  const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl'
  switch (event.key) {
    case 'ArrowUp':
      return 'up'
    case 'ArrowDown':
      return 'down'
    case 'ArrowLeft':
      return isMirrored ? 'in' : 'out'
    case 'ArrowRight':
      return isMirrored ? 'out' : 'in'
    default:
      return null
  }
}

/** One category of the tree: chosen by a click, renamed in place, moved by dragging or with Alt and the arrows. */
export function CategoryRow(props: CategoryRowProps) {
  const { category, isChosen, mayEdit, mayAdd, mayArchive } = props
  const t = useT('products')
  const f = useFormat()
  const [isRenaming, setRenaming] = useState(false)
  const [over, setOver] = useState<Where | null>(null)
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    if (isRenaming || !mayEdit) return
    if (event.key === 'F2') {
      event.preventDefault()
      setRenaming(true)
    }
    const step = event.altKey ? stepOf(event) : null
    if (!step) return
    event.preventDefault()
    props.onStep(step)
  }
  return (
    // The keys are those of the buttons inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      className="category-row"
      style={{ '--level': category.depth - 1 } as React.CSSProperties}
      data-chosen={isChosen}
      data-over={over}
      draggable={mayEdit && !isRenaming}
      onKeyDown={keys}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        // Some browsers drag nothing that carries nothing.
        event.dataTransfer.setData('text/plain', category.name)
        props.onDragStart()
      }}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(whereOf(event))
      }}
      onDragLeave={() => setOver(null)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(null)
        props.onDrop(whereOf(event))
      }}
    >
      {mayEdit ? <Icon name="grip" size={16} /> : null}
      {isRenaming ? (
        <NameInput
          label={t('products:categories.nameOf', { name: category.name })}
          first={category.name}
          onDone={async (name) => {
            if (name && name !== category.name) await props.onRename(name)
            setRenaming(false)
          }}
          onCancel={() => setRenaming(false)}
        />
      ) : (
        <button
          type="button"
          className="category-name"
          aria-pressed={isChosen}
          onClick={props.onChoose}
          onDoubleClick={() => mayEdit && setRenaming(true)}
        >
          <span>{category.name}</span>
          <span className="visually-hidden">{t('products:categories.level', { level: f.number(category.depth) })}</span>
        </button>
      )}
      <span className="muted small tabular" title={t('products:categories.count', { count: category.productCount })}>
        {f.number(category.productCount)}
      </span>
      <span className="category-tools">
        {mayEdit ? (
          <IconTool
            isSmall
            icon="edit"
            label={t('products:categories.rename', { name: category.name })}
            onClick={() => setRenaming(true)}
          />
        ) : null}
        {mayAdd ? (
          <IconTool
            isSmall
            icon="create"
            label={t('products:categories.addIn', { name: category.name })}
            onClick={props.onAdd}
          />
        ) : null}
        {mayArchive ? (
          <IconTool
            isSmall
            icon="archive"
            label={t('products:categories.archive', { name: category.name })}
            onClick={props.onArchive}
          />
        ) : null}
      </span>
    </li>
  )
}

interface NameInputProps {
  label: string
  first?: string
  placeholder?: string
  onDone: (name: string) => Promise<unknown>
  onCancel: () => void
}

/** A name typed in place: Enter keeps it, Escape does not. */
export function NameInput({ label, first = '', placeholder, onDone, onCancel }: NameInputProps) {
  const [name, setName] = useState(first)
  const [isBusy, setBusy] = useState(false)
  const done = async () => {
    if (isBusy) return
    setBusy(true)
    await onDone(name.trim())
    setBusy(false)
  }
  return (
    <TextInput
      className="category-input"
      aria-label={label}
      placeholder={placeholder ?? ''}
      value={name}
      maxLength={80}
      ref={(field) => field?.focus()}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={() => void done()}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') void done()
        if (event.key === 'Escape') onCancel()
      }}
    />
  )
}

import { ActionIcon } from '@mantine/core'
import {
  IconAlignCenter,
  IconAlignLeft,
  IconAlignRight,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBlockquote,
  IconBold,
  IconBraces,
  IconColumnInsertRight,
  IconColumnRemove,
  IconH2,
  IconH3,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconMinus,
  IconRowInsertBottom,
  IconRowRemove,
  IconStrikethrough,
  IconTable,
  IconTableOff,
  IconUnderline,
} from '@tabler/icons-react'
import { type Editor, useEditorState } from '@tiptap/react'
import type { ComponentType } from 'react'
import { type T, useT } from '../../i18n/i18n.ts'

type Chain = ReturnType<Editor['chain']>
interface Tool {
  key: string
  icon: ComponentType<{ size?: number }>
  label: string
  run: (chain: Chain) => Chain
  isOn?: (editor: Editor) => boolean
}

const marks = (t: T): Tool[] => [
  { key: 'bold', icon: IconBold, label: t('editor:bold'), run: (c) => c.toggleBold(), isOn: (e) => e.isActive('bold') },
  {
    key: 'italic',
    icon: IconItalic,
    label: t('editor:italic'),
    run: (c) => c.toggleItalic(),
    isOn: (e) => e.isActive('italic'),
  },
  {
    key: 'underline',
    icon: IconUnderline,
    label: t('editor:underline'),
    run: (c) => c.toggleUnderline(),
    isOn: (e) => e.isActive('underline'),
  },
  {
    key: 'strike',
    icon: IconStrikethrough,
    label: t('editor:strike'),
    run: (c) => c.toggleStrike(),
    isOn: (e) => e.isActive('strike'),
  },
]
const blocks = (t: T): Tool[] => [
  {
    key: 'h2',
    icon: IconH2,
    label: t('editor:heading'),
    run: (c) => c.toggleHeading({ level: 2 }),
    isOn: (e) => e.isActive('heading', { level: 2 }),
  },
  {
    key: 'h3',
    icon: IconH3,
    label: t('editor:subheading'),
    run: (c) => c.toggleHeading({ level: 3 }),
    isOn: (e) => e.isActive('heading', { level: 3 }),
  },
  {
    key: 'list',
    icon: IconList,
    label: t('editor:list'),
    run: (c) => c.toggleBulletList(),
    isOn: (e) => e.isActive('bulletList'),
  },
  {
    key: 'numbers',
    icon: IconListNumbers,
    label: t('editor:numbers'),
    run: (c) => c.toggleOrderedList(),
    isOn: (e) => e.isActive('orderedList'),
  },
  {
    key: 'quote',
    icon: IconBlockquote,
    label: t('editor:quote'),
    run: (c) => c.toggleBlockquote(),
    isOn: (e) => e.isActive('blockquote'),
  },
  { key: 'rule', icon: IconMinus, label: t('editor:rule'), run: (c) => c.setHorizontalRule() },
]
const sides = (t: T): Tool[] => [
  {
    key: 'left',
    icon: IconAlignLeft,
    label: t('editor:left'),
    run: (c) => c.toggleTextAlign('left'),
    isOn: (e) => e.isActive({ textAlign: 'left' }),
  },
  {
    key: 'center',
    icon: IconAlignCenter,
    label: t('editor:center'),
    run: (c) => c.toggleTextAlign('center'),
    isOn: (e) => e.isActive({ textAlign: 'center' }),
  },
  {
    key: 'right',
    icon: IconAlignRight,
    label: t('editor:right'),
    run: (c) => c.toggleTextAlign('right'),
    isOn: (e) => e.isActive({ textAlign: 'right' }),
  },
]
const tables = (t: T): Tool[] => [
  { key: 'row', icon: IconRowInsertBottom, label: t('editor:addRow'), run: (c) => c.addRowAfter() },
  { key: 'column', icon: IconColumnInsertRight, label: t('editor:addColumn'), run: (c) => c.addColumnAfter() },
  { key: 'noRow', icon: IconRowRemove, label: t('editor:removeRow'), run: (c) => c.deleteRow() },
  { key: 'noColumn', icon: IconColumnRemove, label: t('editor:removeColumn'), run: (c) => c.deleteColumn() },
  { key: 'noTable', icon: IconTableOff, label: t('editor:removeTable'), run: (c) => c.deleteTable() },
]
const table = (t: T): Tool => ({
  key: 'table',
  icon: IconTable,
  label: t('editor:table'),
  run: (c) => c.insertTable({ rows: 3, cols: 3, withHeaderRow: true }),
})
const steps = (t: T): Tool[] => [
  { key: 'undo', icon: IconArrowBackUp, label: t('editor:undo'), run: (c) => c.undo() },
  { key: 'redo', icon: IconArrowForwardUp, label: t('editor:redo'), run: (c) => c.redo() },
]

/** What can be done with the words; each also has its usual keys. */
export function Toolbar({
  editor,
  hasChoices,
  onLink,
  label,
}: {
  editor: Editor
  hasChoices: boolean
  onLink: () => void
  label: string
}) {
  const t = useT('editor')
  const toggles = [...marks(t), ...blocks(t), ...sides(t)]
  const now = useEditorState({
    editor,
    selector: ({ editor: at }) => ({
      on: toggles
        .filter(({ isOn }) => isOn?.(at))
        .map(({ key }) => key)
        .join(' '),
      isLink: at.isActive('link'),
      isTable: at.isActive('table'),
      canUndo: at.can().undo(),
      canRedo: at.can().redo(),
    }),
  })
  const on = new Set(now.on.split(' '))
  const groups: Tool[][] = [marks(t), blocks(t), sides(t), now.isTable ? tables(t) : [table(t)], steps(t)]
  return (
    <div className="rich-tools" role="toolbar" aria-label={t('editor:tools', { field: label })}>
      {hasChoices ? (
        <span className="rich-group">
          <One
            icon={IconBraces}
            label={t('editor:insert')}
            onClick={() => editor.chain().focus().insertContent('{{').run()}
          />
        </span>
      ) : null}
      {groups.map((tools, at) => (
        <span className="rich-group" key={tools[0]?.key ?? at}>
          {tools.map(({ key, icon, label: name, run, isOn }) => (
            <One
              key={key}
              icon={icon}
              label={name}
              {...(isOn ? { isOn: on.has(key) } : {})}
              isDisabled={(key === 'undo' && !now.canUndo) || (key === 'redo' && !now.canRedo)}
              onClick={() => run(editor.chain().focus()).run()}
            />
          ))}
          {at === 0 ? <One icon={IconLink} label={t('editor:link')} isOn={now.isLink} onClick={onLink} /> : null}
        </span>
      ))}
    </div>
  )
}

function One({
  icon: Shape,
  label,
  isOn,
  isDisabled = false,
  onClick,
}: {
  icon: ComponentType<{ size?: number }>
  label: string
  isOn?: boolean
  isDisabled?: boolean
  onClick: () => void
}) {
  return (
    <ActionIcon
      variant={isOn ? 'light' : 'subtle'}
      color={isOn ? undefined : 'gray'}
      c={isOn ? undefined : 'inherit'}
      size={32}
      aria-label={label}
      aria-pressed={isOn}
      title={label}
      disabled={isDisabled}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      <Shape size={18} />
    </ActionIcon>
  )
}

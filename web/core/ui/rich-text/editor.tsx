import { Input } from '@mantine/core'
import { TableKit } from '@tiptap/extension-table'
import { TextAlign } from '@tiptap/extension-text-align'
import { type Editor as Writer, EditorContent, useEditor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { type Ref, useEffect, useEffectEvent, useId, useImperativeHandle, useRef, useState } from 'react'
import { type Language, languageFacts } from '../../../../contract/core/languages.ts'
import { completingIn, type VariableChoice } from './choices.ts'
import { useCompletion } from './completion.tsx'
import { fromEditor, toEditor } from './html.ts'
import { isAddress, LinkRow } from './link-row.tsx'
import { Toolbar } from './toolbar.tsx'
import { VariableMarks } from './variable-marks.ts'
import { Waiting } from './waiting.tsx'

export interface RichTextHandle {
  focus: () => void
  /** The nth paragraph, cell or item that says something, beginning with 1; words of it are selected. */
  goTo: (line: number, at?: string) => void
}

export interface EditorProps {
  label: string
  description?: string
  value: string
  onChange: (html: string) => void
  onBlur?: () => void
  choices?: readonly VariableChoice[]
  /** What is written is in this language, whichever the page is in. */
  language: Language
  error?: string | null
  isRequired?: boolean
  isDisabled?: boolean
  autoFocus?: boolean
  /** Ctrl+Enter. */
  onSubmit?: () => void
  ref?: Ref<RichTextHandle>
}

const noChoices: readonly VariableChoice[] = []

const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3] },
    code: false,
    codeBlock: false,
    link: {
      openOnClick: false,
      autolink: false,
      linkOnPaste: true,
      isAllowedUri: (address) => isAddress(address),
      HTMLAttributes: { target: null, rel: null },
    },
  }),
  TableKit.configure({ table: { resizable: false, renderWrapper: false } }),
  TextAlign.configure({ types: ['heading', 'paragraph'], alignments: ['left', 'center', 'right'] }),
  VariableMarks,
]

/** Selects these words in the nth text that says something, or puts the caret at its end. */
function goTo(editor: Writer, line: number, at = '') {
  let left = line
  editor.state.doc.descendants((node, position) => {
    if (left <= 0 || !node.isTextblock || node.textContent.trim() === '') return left > 0
    left--
    if (left === 0) {
      const begin = position + 1
      // A leaf, such as a line break, is one place wide.
      const found = at ? node.textBetween(0, node.content.size, '\n', '\n').indexOf(at) : -1
      const from = found < 0 ? begin + node.content.size : begin + found
      editor
        .chain()
        .focus()
        .setTextSelection({ from, to: found < 0 ? from : from + at.length })
        .scrollIntoView()
        .run()
    }
    return false
  })
  if (left > 0) editor.commands.focus('end')
}

export function Editor(props: EditorProps) {
  const { value, isDisabled = false, autoFocus = false } = props
  // An editor that is not on the page a moment after it was made is let go, and another one made once it is: on a busy
  // machine there is none in between, or one that is of no use any more.
  const editor = useEditor({
    extensions,
    content: toEditor(value),
    editable: !isDisabled,
    autofocus: autoFocus ? 'end' : false,
    injectCSS: false,
    editorProps: {
      attributes: { class: 'rich-words', role: 'textbox', 'aria-multiline': 'true' },
      // It is for the dialog around, which hears of no key that something within has had.
      handleDOMEvents: { keydown: (_view, event) => event.key === 'Escape' },
    },
  }) as Writer | null
  return editor && !editor.isDestroyed ? <Writing {...props} editor={editor} /> : <Waiting label={props.label} />
}

function Writing(props: EditorProps & { editor: Writer }) {
  const { editor, label, description, value, onChange, onBlur, choices = noChoices, language, error } = props
  const { onSubmit, ref, isRequired = false, isDisabled = false } = props
  const id = useId()
  const caret = useRef<HTMLSpanElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const said = useRef(value)
  const [isLinking, setLinking] = useState(false)
  const completion = useCompletion(choices, caret, (text, length) => {
    const { from } = editor.state.selection
    editor
      .chain()
      .focus()
      .insertContentAt({ from: from - length, to: from }, { type: 'text', text })
      .run()
  })
  const onUpdate = useEffectEvent(() => {
    // What the editor mends by itself while it reads is nobody's change.
    if (!box.current?.contains(document.activeElement)) return
    const html = fromEditor(editor.getHTML())
    if (html === said.current) return
    said.current = html
    onChange(html)
  })
  const onMove = useEffectEvent(() => {
    const { $from, empty } = editor.state.selection
    const before = empty && $from.parent.isTextblock ? $from.parent.textBetween(0, $from.parentOffset, '\n', '\n') : ''
    const at = editor.view.coordsAtPos(editor.state.selection.from)
    const frame = box.current?.getBoundingClientRect()
    if (caret.current && frame) {
      caret.current.style.top = `${at.top - frame.top}px`
      caret.current.style.left = `${at.left - frame.left}px`
      caret.current.style.height = `${at.bottom - at.top}px`
    }
    completion.ask(completingIn(before))
  })
  const onLeave = useEffectEvent(() => {
    completion.close()
    onBlur?.()
  })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isWithControl = event.ctrlKey || event.metaKey
    if (completion.onKey(event)) event.stopImmediatePropagation()
    else if (event.key === 'Enter' && isWithControl && onSubmit) {
      event.preventDefault()
      event.stopImmediatePropagation()
      onSubmit()
    } else if (event.key.toLowerCase() === 'k' && isWithControl) {
      event.preventDefault()
      event.stopImmediatePropagation()
      setLinking(true)
    }
  })
  useEffect(() => {
    if (editor.isDestroyed) return undefined
    const { dom } = editor.view
    const update = () => onUpdate()
    const move = () => onMove()
    const leave = () => onLeave()
    const key = (event: KeyboardEvent) => onKey(event)
    editor.on('update', update)
    editor.on('transaction', move)
    editor.on('blur', leave)
    dom.addEventListener('keydown', key, true)
    return () => {
      editor.off('update', update)
      editor.off('transaction', move)
      editor.off('blur', leave)
      dom.removeEventListener('keydown', key, true)
    }
  }, [editor])
  useImperativeHandle(ref, () => ({
    focus: () => editor.commands.focus(),
    goTo: (line, at) => goTo(editor, line, at),
  }))
  // Another text than the one written here: a template was chosen, or a version brought back.
  useEffect(() => {
    if (value === said.current || editor.isDestroyed) return
    said.current = value
    editor.commands.setContent(toEditor(value), { emitUpdate: false })
  }, [editor, value])
  useEffect(() => {
    if (!editor.isDestroyed) editor.setEditable(!isDisabled, false)
  }, [editor, isDisabled])
  const { isOpen, aria } = completion
  useEffect(() => {
    if (editor.isDestroyed) return
    const { dom } = editor.view
    const attributes: Record<string, string | undefined> = {
      'aria-labelledby': `${id}-label`,
      'aria-describedby': error ? `${id}-error` : undefined,
      'aria-invalid': error ? 'true' : undefined,
      'aria-required': isRequired ? 'true' : undefined,
      'aria-controls': aria['aria-controls'],
      'aria-activedescendant': aria['aria-activedescendant'],
      lang: language,
      dir: languageFacts[language].direction,
    }
    for (const [name, said] of Object.entries(attributes))
      if (said === undefined) dom.removeAttribute(name)
      else dom.setAttribute(name, said)
  }, [editor, id, error, isRequired, language, isOpen, aria])
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id: `${id}-label`, onClick: () => editor.commands.focus() }}
      description={description}
      required={isRequired}
      error={error ?? null}
      errorProps={{ id: `${id}-error` }}
    >
      <div
        className="rich-text"
        data-invalid={error ? true : undefined}
        data-disabled={isDisabled || undefined}
        ref={box}
      >
        {isDisabled ? null : (
          <Toolbar editor={editor} hasChoices={choices.length > 0} onLink={() => setLinking(true)} label={label} />
        )}
        {isLinking ? <LinkRow editor={editor} choices={choices} onClose={() => setLinking(false)} /> : null}
        <EditorContent editor={editor} />
        <span ref={caret} className="rich-caret" aria-hidden />
      </div>
      {completion.list}
    </Input.Wrapper>
  )
}

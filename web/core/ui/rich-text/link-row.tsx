import { Button, TextInput } from '@mantine/core'
import type { Editor } from '@tiptap/react'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import type { VariableChoice } from './choices.ts'

const linkVariable = /^\{\{\s*(?:[\w.]*[._])?link\s*\}\}$/i
/** What a link of a mail may lead to. */
export const isAddress = (address: string): boolean =>
  /^(https?:\/\/[^/\s]+|mailto:|tel:)/i.test(address) || linkVariable.test(address)

/** What people type for an address, as one. */
function addressOf(typed: string): string {
  const text = typed.trim()
  if (isAddress(text)) return text
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return `mailto:${text}`
  return /^[^\s:]+\.[^\s]+$/.test(text) ? `https://${text}` : text
}

/** Where the chosen words lead. */
export function LinkRow({
  editor,
  choices,
  onClose,
}: {
  editor: Editor
  choices: readonly VariableChoice[]
  onClose: () => void
}) {
  const t = useT('editor')
  const input = useRef<HTMLInputElement>(null)
  const old = String(editor.getAttributes('link')['href'] ?? '')
  const [typed, setTyped] = useState(old)
  const [isWrong, setWrong] = useState(false)
  useEffect(() => input.current?.focus(), [])
  const close = () => {
    onClose()
    editor.commands.focus()
  }
  const set = (text: string) => {
    const href = addressOf(text)
    if (!isAddress(href)) return setWrong(true)
    const chain = editor.chain().focus().extendMarkRange('link')
    if (editor.state.selection.empty && !old)
      chain
        .insertContent({
          type: 'text',
          text: href.replace(/^(mailto|tel):/, ''),
          marks: [{ type: 'link', attrs: { href } }],
        })
        .run()
    else chain.setLink({ href }).run()
    onClose()
  }
  const links = choices.filter(
    ({ type, path }) => type === 'link' && /(^|[._])link$/.test(path) && !path.includes('s.'),
  )
  return (
    <div className="rich-link">
      <TextInput
        ref={input}
        size="sm"
        label={t('editor:address')}
        value={typed}
        error={isWrong ? t('editor:notAddress') : null}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setWrong(false)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault()
            event.stopPropagation()
            close()
          }
          if (event.key !== 'Enter') return
          event.preventDefault()
          event.stopPropagation()
          set(typed)
        }}
      />
      <div className="rich-link-actions">
        <Button size="xs" onClick={() => set(typed)}>
          {t('editor:setLink')}
        </Button>
        {links.map(({ path, insert }) => (
          <Button key={path} size="xs" variant="default" onClick={() => set(insert)}>
            {path}
          </Button>
        ))}
        {old ? (
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              editor.chain().focus().extendMarkRange('link').unsetLink().run()
              onClose()
            }}
          >
            {t('editor:removeLink')}
          </Button>
        ) : null}
        <Button size="xs" variant="subtle" color="gray" onClick={close}>
          {t('common:cancel')}
        </Button>
      </div>
    </div>
  )
}

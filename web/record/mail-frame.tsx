import type { SyntheticEvent } from 'react'
import { cspNonce } from '../core/config.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import './record.css'

/** What a mail without a look of its own is shown in, as mail programs do. */
const plainLook = `body { margin: 1rem; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
  blockquote { margin: 0; padding-inline-start: 0.75rem; border-inline-start: 3px solid #c9c6d3; color: #56526a; }
  pre { white-space: pre-wrap; }`

/**
 * The frame stands under the page's own policy: its style sheets need the nonce, and its links open beside the product.
 */
const framed = (html: string, { isDark, isPlain }: { isDark: boolean; isPlain: boolean }) =>
  `<base target="_blank">${(isPlain ? `<style>${plainLook}</style>${html}` : html)
    .replaceAll(/<style(?=[\s>])/gi, `<style nonce="${cspNonce}"`)
    .replaceAll(/@media\s*\(prefers-color-scheme:\s*dark\)/gi, isDark ? '@media all' : '@media not all')}`

/** A short mail has a low frame; the style sheet says how tall one grows before it scrolls. */
const fit = ({ currentTarget: frame }: SyntheticEvent<HTMLIFrameElement>) => {
  const page = frame.contentDocument?.documentElement
  if (!page) return
  frame.style.blockSize = '0'
  frame.style.blockSize = `${page.scrollHeight + frame.offsetHeight - frame.clientHeight}px`
}

interface FrameProps {
  title: string
  html: string
  isDark?: boolean
  /** Words alone, as they came in or as people left them for each other. */
  isPlain?: boolean
}

/**
 * A mail as its reader sees it, on paper in every theme; or in the dark where asked. Nothing in it runs and no form is
 * sent; it is of our origin only so that its height can be asked for.
 */
export const MailFrame = ({ title, html, isDark = false, isPlain = false }: FrameProps) => (
  <iframe
    className="mail-view"
    data-dark={isDark || undefined}
    title={title}
    sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
    srcDoc={framed(html, { isDark, isPlain })}
    onLoad={fit}
  />
)

/** What a message says, with what is attached; or why neither is shown. */
export function MailBody({
  title,
  html,
  attachments,
  isHidden,
  isPlain = false,
}: {
  title: string
  /** Null when it cannot be composed. */
  html: string | null
  attachments: readonly { name: string; size?: string }[]
  isHidden: boolean
  isPlain?: boolean
}) {
  const t = useT('record')
  if (isHidden) return <p className="muted">{t('record:bodyHidden')}</p>
  if (html === null) return <p className="muted">{t('record:bodyBroken')}</p>
  return (
    <>
      <MailFrame title={title} html={html} isPlain={isPlain} />
      <Attachments items={attachments} />
    </>
  )
}

export function Attachments({ items }: { items: readonly { name: string; size?: string }[] }) {
  const t = useT('record')
  if (!items.length) return null
  return (
    <ul className="attachments" aria-label={t('record:attachments')}>
      {items.map((item) => (
        <li key={item.name} className="attachment">
          <Icon name="attachment" size={16} />
          <span>{unbroken(item.name)}</span>
          {item.size ? <span className="muted small">{item.size}</span> : null}
        </li>
      ))}
    </ul>
  )
}

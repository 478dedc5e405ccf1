import { cspNonce } from '../core/config.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import './record.css'

/**
 * The frame stands under the page's own policy: its style sheets need the nonce, and its links open beside the product.
 */
const framed = (html: string, isDark: boolean) =>
  `<base target="_blank">${html
    .replaceAll(/<style(?=[\s>])/gi, `<style nonce="${cspNonce}"`)
    .replaceAll(/@media\s*\(prefers-color-scheme:\s*dark\)/gi, isDark ? '@media all' : '@media not all')}`

/** A mail as its reader sees it: without scripts or forms, on paper in every theme; or in the dark where asked. */
export const MailFrame = ({ title, html, isDark = false }: { title: string; html: string; isDark?: boolean }) => (
  <iframe
    className="mail-view"
    data-dark={isDark || undefined}
    title={title}
    sandbox="allow-popups allow-popups-to-escape-sandbox"
    srcDoc={framed(html, isDark)}
  />
)

/** What a message says, with what is attached; or why neither is shown. */
export function MailBody({
  title,
  html,
  attachments,
  isHidden,
}: {
  title: string
  /** Null when it cannot be composed. */
  html: string | null
  attachments: readonly { name: string; size?: string }[]
  isHidden: boolean
}) {
  const t = useT('record')
  if (isHidden) return <p className="muted">{t('record:bodyHidden')}</p>
  if (html === null) return <p className="muted">{t('record:bodyBroken')}</p>
  return (
    <>
      <MailFrame title={title} html={html} />
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

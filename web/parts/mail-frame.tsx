import { useMemo } from 'react'
import { cspNonce } from '../core/config.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import './parts.css'

/**
 * A frame inherits the page's policy, which forbids styles in attributes and unsigned style elements, and mails are made of
 * them. So the elements are signed, and the attributes put aside until the frame is there.
 */
const framed = (html: string): string => {
  // Before it is parsed, which would be refused already. In the words of a mail every quotation mark is escaped.
  const mail = new DOMParser().parseFromString(html.replaceAll('<style', `<style nonce="${cspNonce}"`).replaceAll(' style="', ' data-look="'), 'text/html')
  for (const foreign of mail.querySelectorAll('script, link, base, meta[http-equiv]')) foreign.remove()
  return `<!doctype html>${mail.documentElement.outerHTML}`
}
const dress = (frame: HTMLIFrameElement) => {
  for (const element of frame.contentDocument?.querySelectorAll<HTMLElement>('[data-look]') ?? []) element.style.cssText = element.dataset['look'] ?? ''
}

/** A mail as its reader sees it: without scripts, forms or a way out, on paper in every theme. */
export function MailFrame({ title, html, className = 'mail-view' }: { title: string; html: string; className?: string }) {
  const content = useMemo(() => framed(html), [html])
  // Its own origin is what lets the styles in; nothing in it may run.
  return <iframe className={className} title={title} sandbox="allow-same-origin" srcDoc={content} onLoad={(event) => dress(event.currentTarget)} />
}

export function Attachments({ items }: { items: readonly { name: string; size?: string }[] }) {
  const t = useT('parts')
  if (!items.length) return null
  return (
    <ul className="attachments" aria-label={t('parts:attachments')}>
      {items.map((item) => (
        <li key={item.name} className="attachment">
          <Icon name="attachment" size={16} />
          <span>{item.name}</span>
          {item.size ? <span className="muted small">{item.size}</span> : null}
        </li>
      ))}
    </ul>
  )
}

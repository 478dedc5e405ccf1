import { createElement, Fragment, type ReactNode } from 'react'
import { footOf } from '../../contract/dress.ts'
import type { PageTheme } from '../../contract/shown-theme.ts'
import { useLanguage } from '../core/i18n/i18n.ts'

/** What the foot of a theme may be made of: the server lets nothing else through, and nothing else is shown. */
const tags: ReadonlySet<string> = new Set(
  `p br strong em u s a ul ol li h2 h3 blockquote hr table thead tbody tr th td`.split(' '),
)
const empty: ReadonlySet<string> = new Set(['br', 'hr'])
const isAddress = (href: string | null): href is string => href !== null && /^(https?:\/\/|mailto:|tel:)/i.test(href)

function shown(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const tag = node.localName
  const inside = [...node.childNodes].map(shown)
  if (!tags.has(tag)) return createElement(Fragment, { key }, ...inside)
  const href = node.getAttribute('href')
  const link = tag === 'a' && isAddress(href) ? { href, target: '_blank', rel: 'noreferrer', className: 'link' } : {}
  const dir = node.getAttribute('dir')
  const props = { key, ...link, ...(dir ? { dir } : {}) }
  return empty.has(tag) ? createElement(tag, props) : createElement(tag, props, ...inside)
}

/** What the theme says at the foot, in the language of the page. */
export function ThemeFoot({ theme }: { theme: Pick<PageTheme, 'footerHtml'> }) {
  const html = footOf(theme.footerHtml, useLanguage())
  if (!html) return null
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return (
    <div className="theme-foot" dir="auto">
      {[...body.childNodes].map(shown)}
    </div>
  )
}

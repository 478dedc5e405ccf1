import { lazy, Suspense } from 'react'
import type { EditorProps } from './editor.tsx'
import { Waiting } from './waiting.tsx'
import './rich-text.css'

const Editor = lazy(() => import('./editor.tsx').then((module) => ({ default: module.Editor })))

/**
 * HTML with what mails may hold: headings, lists, links, tables. It is fetched when it is needed first, because it
 * weighs as much as a page. `choices` are variables, which `/` or two braces list.
 */
export function RichText(props: EditorProps) {
  return (
    <Suspense fallback={<Waiting label={props.label} />}>
      <Editor {...props} />
    </Suspense>
  )
}

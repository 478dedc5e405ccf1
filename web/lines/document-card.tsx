import type { ReactNode } from 'react'
import { KeyValueList, type KeyValue } from '../core/ui/key-values.tsx'
import './document-card.css'

export interface DocumentCardProps {
  /** `Quote`, `Tax invoice` … */
  kind: string
  number: string
  title: string
  /** Across the top: what state it is in, when that matters more than anything else. */
  stamp?: ReactNode
  party: { heading: string; name: string; lines: readonly (string | null | undefined)[] }
  facts: KeyValue[]
  children: ReactNode
}

/** The document as its customer sees it. */
export function DocumentCard({ kind, number, title, stamp, party, facts, children }: DocumentCardProps) {
  return (
    <article className="card document-card">
      {stamp}
      <header className="document-head">
        <div>
          <p className="document-kind">{kind}</p>
          <p className="document-number tabular">{number}</p>
          <p className="document-title">{title}</p>
        </div>
        <div className="document-party">
          <p className="muted small no-margin">{party.heading}</p>
          <p className="strong no-margin">{party.name}</p>
          {party.lines.filter(Boolean).map((line) => (
            <p key={line} className="no-margin small prose">
              {line}
            </p>
          ))}
        </div>
      </header>
      <div className="document-facts">
        <KeyValueList items={facts} />
      </div>
      {children}
    </article>
  )
}

export function DocumentText({ heading, children }: { heading?: string; children: string | null }) {
  if (!children) return null
  return (
    <section className="document-prose">
      {heading ? <h2>{heading}</h2> : null}
      <p>{children}</p>
    </section>
  )
}

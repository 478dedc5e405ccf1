import type { ReactNode } from 'react'
import { unbroken } from '../core/ui/unbroken.tsx'
import './document-card.css'

/** What matters more than anything in the document below it. */
export const DocumentBanner = ({ tone, children }: { tone: 'warning' | 'error' | 'info'; children: ReactNode }) => (
  <div className="document-banner" data-tone={tone}>
    {unbroken(children)}
  </div>
)

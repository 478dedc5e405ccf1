import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { useT } from '../i18n/i18n.ts'

const shownAfterPx = 200

/** The way back to the top of a long page, on every page. */
export function ScrollTop() {
  const t = useT('common')
  const [isFar, setFar] = useState(false)
  // Asked for when it moves only: at the first look the browser would have to lay the page out before anything is in it.
  useWindowEvent('scroll', () => setFar(window.scrollY > shownAfterPx), { passive: true })
  if (!isFar) return null
  return (
    <button
      type="button"
      className="scroll-top no-print"
      aria-label={t('common:scrollTop')}
      onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
    >
      <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path
          d="M6 15l6-6 6 6"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    </button>
  )
}

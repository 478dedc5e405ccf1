import { useWindowEvent } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { useT } from '../i18n/i18n.ts'

const shownAfterPx = 200

/**
 * The way back to the top of a long page. On wide screens it is for whoever has begun to go up, because it would cover
 * what others read; on narrow ones, where it would cover what is read and tapped, it is the end of the page.
 */
export function ScrollTop() {
  const t = useT('common')
  const [isShown, setShown] = useState(false)
  const [goesUp, setGoesUp] = useState(false)
  const last = useRef(0)
  // Asked for when it moves only: at the first look the browser would have to lay the page
  // out before anything is in it.
  const look = () => {
    const { scrollY } = window
    if (scrollY !== last.current) {
      setShown(scrollY > shownAfterPx)
      setGoesUp(scrollY < last.current)
    }
    last.current = scrollY
  }
  useWindowEvent('scroll', look, { passive: true })
  if (!isShown) return null
  return (
    <button
      type="button"
      className="scroll-top no-print"
      data-up={goesUp || undefined}
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

import { ActionIcon } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { useT } from '../i18n/i18n.ts'
import { Icon } from '../ui/icon.tsx'

const shownAfterPx = 200

export function ScrollTop() {
  const t = useT('shell')
  const [isFar, setFar] = useState(false)
  // Asked for when it moves only: at the first look the browser would have to lay the page out before anything is in it.
  useWindowEvent('scroll', () => setFar(window.scrollY > shownAfterPx), { passive: true })
  if (!isFar) return null
  return (
    <ActionIcon className="scroll-top no-print" size={42} radius="xl" aria-label={t('shell:scrollTop')} onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}>
      <span className="turn-up">
        <Icon name="down" size={22} />
      </span>
    </ActionIcon>
  )
}

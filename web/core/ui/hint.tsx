import { Tooltip } from '@mantine/core'
import { useEffect, useState, type RefObject } from 'react'

/** A sentence beside what it is about, on hover and on focus by keyboard, until Escape. */
export function Hint({ label, target }: { label: string; target: RefObject<HTMLElement | null> }) {
  const [isFocused, setFocused] = useState(false)
  useEffect(() => {
    const element = target.current
    const stop = new AbortController()
    const { signal } = stop
    element?.addEventListener('focus', () => setFocused(element.matches(':focus-visible')), { signal })
    element?.addEventListener('blur', () => setFocused(false), { signal })
    element?.addEventListener('keydown', ({ key }) => key === 'Escape' && setFocused(false), { signal })
    return () => stop.abort()
  }, [target])
  return <Tooltip label={label} target={target} multiline maw={320} {...(isFocused ? { opened: true } : {})} />
}

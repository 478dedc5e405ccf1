import { useEffect, useEffectEvent, useRef } from 'react'
import { dropStored, readStored, writeStored } from '../core/storage.ts'
import type { ComposeValues } from './compose-values.ts'

const afterMs = 2000
/** What nobody came back to for so long is not wanted any more. */
const longestMs = 30 * 24 * 60 * 60_000

/** What was being written when the window was closed, in the form that it has today. */
export function keptDraft(key: string, first: ComposeValues): ComposeValues | null {
  const stored = readStored<Partial<ComposeValues>>(key)
  if (!stored || typeof stored.value !== 'object' || stored.value === null) return null
  if (Date.now() - stored.at > longestMs) {
    dropStored(key)
    return null
  }
  const { value } = stored
  const same = Object.entries(first).filter(([name, given]) => {
    const kept = value[name as keyof ComposeValues]
    return Array.isArray(given) ? Array.isArray(kept) : kept === null || given === null || typeof kept === typeof given
  })
  return {
    ...first,
    ...Object.fromEntries(
      same.flatMap(([name]) => (name in value ? [[name, value[name as keyof ComposeValues]]] : [])),
    ),
  }
}

/** Keeps what is being written in the browser, until it is sent or thrown away. */
export function useKeptDraft(
  key: string,
  values: ComposeValues,
  isChanged: boolean,
): { forget: () => void; stop: () => void } {
  const isOver = useRef(false)
  const isKept = useRef(isChanged)
  const keep = useEffectEvent(() => {
    if (isOver.current) return
    if (isChanged) writeStored(key, values)
    // What was written and taken back does not come back either.
    else if (isKept.current) dropStored(key)
    isKept.current = isChanged
  })
  useEffect(() => {
    const timer = setTimeout(() => keep(), afterMs)
    return () => clearTimeout(timer)
  }, [values])
  // Whoever leaves earlier loses nothing either.
  useEffect(() => {
    const atOnce = () => keep()
    window.addEventListener('pagehide', atOnce)
    return () => window.removeEventListener('pagehide', atOnce)
  }, [])
  const leave = useEffectEvent(() => keep())
  useEffect(() => () => leave(), [])
  const forget = () => dropStored(key)
  return {
    forget,
    /** It was sent or saved: nothing of it is to come back. */
    stop: () => {
      isOver.current = true
      forget()
    },
  }
}

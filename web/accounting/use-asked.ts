import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { localDay } from '../../contract/core/dates.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useGo } from '../core/ui/params.ts'

/** What the address asks a report for, and how it is asked for something else. */
export function useAsked<K extends string>(path: string, keys: readonly K[]) {
  const { zone } = useFormat()
  const go = useGo()
  const search = useSearch({ strict: false }) as Partial<Record<K, string>>
  const [today] = useState(() => localDay(new Date().toISOString(), zone))
  const asked = Object.fromEntries(
    keys.flatMap((key) => (typeof search[key] === 'string' ? [[key, search[key]]] : [])),
  ) as Partial<Record<K, string>>
  const set = (change: Partial<Record<K, string | undefined>>) => {
    const next = Object.entries({ ...asked, ...change }).filter((pair): pair is [string, string] => Boolean(pair[1]))
    return go(`${path}?${new URLSearchParams(next).toString()}`, { isReplacing: true })
  }
  return { asked, today, set }
}

import { useComputedColorScheme } from '@mantine/core'
import { createContext, use } from 'react'
import type { Scheme } from '../../contract/dress.ts'

/** Light or dark, where a part of a page is shown otherwise than the page. */
export const PageScheme = createContext<Scheme | null>(null)

export function usePageScheme(): Scheme {
  const own = use(PageScheme)
  const computed = useComputedColorScheme('light', { getInitialValueInEffect: false })
  return own ?? computed
}

import { useComputedColorScheme } from '@mantine/core'
import { useLayoutEffect } from 'react'
import { type Dresser, themeVariables, wornBy } from './service-colours.ts'

/** Dresses the whole page, dialogs included, in the theme of the business while its document is open. */
export function useBusinessTheme(business: Dresser | undefined) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const variables = business && JSON.stringify(themeVariables(wornBy(business), scheme))
  useLayoutEffect(() => {
    if (!variables) return
    const root = document.documentElement
    const worn = JSON.parse(variables) as Record<string, string>
    for (const [name, value] of Object.entries(worn)) root.style.setProperty(name, value)
    root.dataset.service = 'open'
    return () => {
      for (const name of Object.keys(worn)) root.style.removeProperty(name)
      delete root.dataset.service
    }
  }, [variables])
}

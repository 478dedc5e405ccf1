import { useComputedColorScheme } from '@mantine/core'
import { useLayoutEffect } from 'react'
import { themeVariables } from './service-colours.ts'

/** Dresses the whole page, dialogs included, in the business's colour while its document is open. */
export function useBusinessTheme(colour: string | undefined) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  useLayoutEffect(() => {
    if (!colour) return
    const root = document.documentElement
    const variables = themeVariables(colour, scheme)
    for (const [name, value] of Object.entries(variables)) root.style.setProperty(name, value)
    root.dataset.service = 'open'
    return () => {
      for (const name of Object.keys(variables)) root.style.removeProperty(name)
      delete root.dataset.service
    }
  }, [colour, scheme])
}

import { useHotkeys } from '@mantine/hooks'
import { useRef } from 'react'

/** Ctrl or ⌘ with S saves from within every field, as the form's button does. Goes on the form as its `ref`. */
export function useSaveKey(isOff = false) {
  const form = useRef<HTMLFormElement>(null)
  useHotkeys([['mod+S', () => (isOff ? undefined : form.current?.requestSubmit())]], [])
  return form
}

import type { KeyboardEvent } from 'react'

/**
 * Enter in a field must not save half of a document, nor send what is still being addressed: such a form is sent by its
 * button, or by Ctrl/⌘-S. Dialogs within it have forms of their own.
 */
export const keepEnter = (event: KeyboardEvent<HTMLFormElement>) => {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement && event.target.form === event.currentTarget)
    event.preventDefault()
}

import type { MouseEvent, SyntheticEvent } from 'react'

let pressed: HTMLInputElement | null = null

/**
 * Handlers of a field whose value is typed anew rather than mended: it is selected whole when the focus
 * comes to it, by Tab or by a first click. A second click places the caret, and a part that was drawn over
 * with the mouse stays selected.
 */
export const selectWhole = {
  onFocus: (event: SyntheticEvent<HTMLInputElement>) => event.currentTarget.select(),
  onMouseDown: (event: MouseEvent<HTMLInputElement>) => {
    pressed = document.activeElement === event.currentTarget ? null : event.currentTarget
  },
  // The press that brought the focus has placed the caret since.
  onClick: (event: MouseEvent<HTMLInputElement>) => {
    const field = event.currentTarget
    if (pressed === field && field.selectionStart === field.selectionEnd) field.select()
    pressed = null
  },
}

import type { ComponentProps, MouseEvent } from 'react'

type Props = ComponentProps<'button'> & { 'data-loading'?: boolean }

const swallow = (event: MouseEvent) => {
  event.preventDefault()
  event.stopPropagation()
}

/**
 * The element of the kit's buttons. While one works the kit would disable it, and a browser takes the focus from what
 * is disabled: here the focus stays, the button says that it can't be pressed now, and swallows what is pressed.
 */
export function kitButton({ disabled, ...props }: Props) {
  if (!props['data-loading']) return <button {...props} disabled={disabled} />
  return <button {...props} aria-disabled="true" onClick={swallow} />
}

/**
 * What a button does that goes a step further, such as to the next page: at the end there is nothing to press, and
 * whoever got there by keyboard still stands on it.
 */
export const stepping = (isAtEnd: boolean, onClick: () => void) =>
  isAtEnd ? { 'data-disabled': true, 'aria-disabled': true, onClick: swallow } : { onClick }

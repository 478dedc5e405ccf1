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

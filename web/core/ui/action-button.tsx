import { Button, type ButtonProps } from '@mantine/core'
import { Suspense, lazy, useId, useRef, type MouseEvent, type ReactNode } from 'react'
import { usePageActions } from '../layout/page-actions.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

export interface ActionButtonProps extends Pick<ButtonProps, 'variant' | 'color' | 'size' | 'fullWidth' | 'loading'> {
  children: ReactNode
  onClick?: () => void
  icon?: IconName
  /** Why the action cannot be done now: the button stays reachable, does nothing, and says this. */
  disabledReason?: string | null | false
  type?: 'button' | 'submit'
  form?: string
}

const Hint = lazy(() => import('./hint.tsx').then((module) => ({ default: module.Hint })))

const stay = (event: MouseEvent) => event.preventDefault()

/** A button that can say why it cannot be used. */
export function ActionButton({
  children,
  onClick,
  icon,
  disabledReason,
  type = 'button',
  form,
  ...look
}: ActionButtonProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  usePageActions([
    {
      label: children,
      icon: icon ?? 'next',
      onClick: () => onClick?.(),
      isOffered: onClick !== undefined && !disabledReason && !look.loading,
    },
  ])
  const leftSection = icon ? (
    // What leads on points to where the page goes on.
    <span className={icon === 'next' ? 'flip' : undefined} style={{ display: 'inline-flex' }}>
      <Icon name={icon} size={18} />
    </span>
  ) : undefined
  // One button, whether it can be used or not: another one in its place would not have its focus.
  return (
    <>
      <Button
        {...look}
        {...(form ? { form } : {})}
        ref={button}
        leftSection={leftSection}
        type={disabledReason ? 'button' : type}
        {...(disabledReason ? { 'data-disabled': true, 'aria-disabled': true, 'aria-describedby': id } : {})}
        {...(disabledReason ? { onClick: stay } : onClick ? { onClick } : {})}
      >
        {children}
      </Button>
      {disabledReason ? (
        <>
          <Suspense>
            <Hint label={disabledReason} target={button} />
          </Suspense>
          <span id={id} hidden>
            {disabledReason}
          </span>
        </>
      ) : null}
    </>
  )
}

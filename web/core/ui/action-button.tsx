import { Button, type ButtonProps } from '@mantine/core'
import { Suspense, lazy, useId, type ReactNode } from 'react'
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
  const common = { ...look, leftSection, ...(form ? { form } : {}) }
  if (!disabledReason)
    return (
      <Button {...common} type={type} {...(onClick ? { onClick } : {})}>
        {children}
      </Button>
    )
  const still = (
    <Button
      {...common}
      type="button"
      data-disabled
      aria-disabled="true"
      aria-describedby={id}
      onClick={(event) => event.preventDefault()}
    >
      {children}
    </Button>
  )
  return (
    <>
      <Suspense fallback={still}>
        <Hint label={disabledReason}>{still}</Hint>
      </Suspense>
      <span id={id} hidden>
        {disabledReason}
      </span>
    </>
  )
}

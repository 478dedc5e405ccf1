import { ActionIcon } from '@mantine/core'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

export interface IconToolProps {
  icon: IconName
  /** Spoken, and shown on hover. */
  label: string
  onClick: () => void
  isDisabled?: boolean
  isBusy?: boolean
  /** In a menu or a row that is narrow. */
  isSmall?: boolean
}

/** A quiet button of an icon alone, beside what it acts on. */
export function IconTool({ icon, label, onClick, isDisabled = false, isBusy = false, isSmall = false }: IconToolProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="inherit"
      size={isSmall ? 32 : 36}
      aria-label={label}
      title={label}
      disabled={isDisabled}
      loading={isBusy}
      onClick={onClick}
    >
      <Icon name={icon} size={isSmall ? 16 : 18} />
    </ActionIcon>
  )
}

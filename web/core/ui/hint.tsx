import { Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'

/** A sentence beside what it is about, on hover and focus. */
export function Hint({ label, children }: { label: string; children: ReactElement }) {
  return (
    <Tooltip label={label} multiline maw={320}>
      {children}
    </Tooltip>
  )
}

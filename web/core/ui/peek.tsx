import { Suspense, lazy, useState, type ReactNode } from 'react'

export interface PeekProps {
  isOpen: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  /** Buttons at the foot. */
  actions?: ReactNode
  size?: 'md' | 'lg' | 'xl'
}

const PeekSheet = lazy(() => import('./peek-sheet.tsx').then((module) => ({ default: module.PeekSheet })))

/** A side sheet over the page: look without leaving. Its code is fetched when the first one opens. */
export function Peek(props: PeekProps) {
  const [isWanted, setWanted] = useState(props.isOpen)
  if (props.isOpen && !isWanted) setWanted(true)
  if (!isWanted) return null
  return (
    <Suspense>
      <PeekSheet {...props} />
    </Suspense>
  )
}

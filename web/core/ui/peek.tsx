import type { ReactNode } from 'react'
import { whenOpen } from './when-open.tsx'

export interface PeekProps {
  isOpen: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  /** Buttons at the foot. */
  actions?: ReactNode
  size?: 'md' | 'lg' | 'xl'
}

/** A side sheet over the page: look without leaving. */
export const Peek = whenOpen<PeekProps>(() => import('./peek-sheet.tsx').then((module) => module.PeekSheet))

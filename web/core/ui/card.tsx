import { useId, type ReactNode } from 'react'
import { unbroken } from './unbroken.tsx'

export interface CardProps {
  title?: ReactNode
  /** Buttons at the end of the head. */
  actions?: ReactNode
  /** Content reaches the edges: tables and lists. */
  isFlush?: boolean
  className?: string
  children: ReactNode
}

export function Card({ title, actions, isFlush = false, className = '', children }: CardProps) {
  const id = useId()
  return (
    <section className={`card ${className}`} {...(title ? { 'aria-labelledby': id } : {})}>
      {title || actions ? (
        <div className="card-head">
          {title ? (
            <h2 className="card-title" id={id}>
              {unbroken(title)}
            </h2>
          ) : (
            <span />
          )}
          {actions ? <div className="row no-print">{actions}</div> : null}
        </div>
      ) : null}
      <div className={`card-body ${isFlush ? 'flush' : ''}`}>{children}</div>
    </section>
  )
}

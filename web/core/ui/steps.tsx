import { useEffect } from 'react'
import { Icon } from './icon.tsx'
import './steps.css'

interface StepsProps<S extends string> {
  /** What the way leads to. */
  label: string
  steps: readonly S[]
  now: S
  nameOf: (step: S) => string
}

/** Where one is on a way of several pages that lead from one to the next. */
export function Steps<S extends string>({ label, steps, now, nameOf }: StepsProps<S>) {
  const at = steps.indexOf(now)
  // The button that leads on stands below a long table, and the next step is as long.
  useEffect(() => {
    window.scrollTo({ top: 0 })
  }, [now])
  return (
    <ol className="steps" aria-label={label}>
      {steps.map((step, i) => (
        <li
          key={step}
          data-state={i < at ? 'past' : i === at ? 'now' : 'next'}
          {...(i === at ? { 'aria-current': 'step' } : {})}
        >
          <span className="step-mark" aria-hidden="true">
            {i < at ? <Icon name="check" size={16} /> : i + 1}
          </span>
          {nameOf(step)}
        </li>
      ))}
    </ol>
  )
}

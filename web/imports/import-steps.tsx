import { useEffect } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'

const steps = ['file', 'columns', 'check', 'done'] as const
export type Step = (typeof steps)[number]

/** Where one is on the way from a file to customers. */
export function ImportSteps({ now }: { now: Step }) {
  const t = useT('imports')
  const at = steps.indexOf(now)
  // The button that leads on stands below a long table, and the next step is as long.
  useEffect(() => {
    window.scrollTo({ top: 0 })
  }, [now])
  return (
    <ol className="import-steps" aria-label={t('imports:steps.label')}>
      {steps.map((step, i) => (
        <li
          key={step}
          data-state={i < at ? 'past' : i === at ? 'now' : 'next'}
          {...(i === at ? { 'aria-current': 'step' } : {})}
        >
          <span className="import-step-mark" aria-hidden="true">
            {i < at ? <Icon name="check" size={16} /> : i + 1}
          </span>
          {t(`imports:steps.${step}`)}
        </li>
      ))}
    </ol>
  )
}

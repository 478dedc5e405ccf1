import { useT } from '../core/i18n/i18n.ts'
import { Steps } from '../core/ui/steps.tsx'

const steps = ['file', 'columns', 'check', 'done'] as const
export type Step = (typeof steps)[number]

/** Where one is on the way from a file to customers. */
export function ImportSteps({ now }: { now: Step }) {
  const t = useT('imports')
  return (
    <Steps label={t('imports:steps.label')} steps={steps} now={now} nameOf={(step) => t(`imports:steps.${step}`)} />
  )
}

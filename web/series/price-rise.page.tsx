import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { pathTo } from '../../contract/nouns.ts'
import { type PlannedRise, type RiseItem, seriesApi } from '../../contract/series.ts'
import { request } from '../core/api/client.ts'
import { asApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { Steps } from '../core/ui/steps.tsx'
import { CheckStep } from './rise-check.tsx'
import { DoneStep } from './rise-done.tsx'
import { ChooseStep, type Chosen, useLiveSeries } from './rise-choose.tsx'
import { RiseStep, type RiseValues } from './rise-values.tsx'
import './series.css'

const steps = ['series', 'rise', 'check', 'done'] as const
type Step = (typeof steps)[number]

/** Plans a rise of many series: which, by how much, what it does to each; done, it can be taken back. */
export function Page() {
  const t = useT('series')
  return (
    <>
      <PageHeader
        title={t('series:rise.title')}
        subtitle={t('series:rise.subtitle')}
        crumbs={[{ to: pathTo('Series'), label: t('series:list.title') }]}
      />
      <section className="card series-cards">
        <Wizard />
      </section>
    </>
  )
}

function Wizard() {
  const text = useErrorText()
  const { series: first } = useSearch({ strict: false }) as { series?: string }
  const t = useT('series')
  const live = useLiveSeries()
  const [step, setStep] = useState<Step>('series')
  const [chosen, setChosen] = useState<Chosen>(() => new Set(first ? [first] : []))
  const [values, setValues] = useState<RiseValues>({ bp: null, step: 1, fromOn: '' })
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set())
  const [items, setItems] = useState<RiseItem[]>([])
  const [done, setDone] = useState<PlannedRise | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const plan = useWrite(seriesApi.planRise)

  const asked = (excludeLines: ReadonlySet<string>) => ({
    seriesGuids: [...chosen],
    bp: values.bp ?? 0,
    step: values.step ?? 1,
    fromOn: values.fromOn,
    excludeLines: [...excludeLines],
  })
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      setProblem(asApiError(error).errors[0]?.message ?? text(error))
    }
    setBusy(false)
  }
  const check = (excludeLines: ReadonlySet<string>) =>
    attempt(async () => {
      const answer = await request(seriesApi.planRise, { ...asked(excludeLines), dryRun: true })
      setItems(answer.items)
      setExcluded(excludeLines)
      setStep('check')
    })
  const save = () =>
    attempt(async () => {
      const { rise } = await plan.mutateAsync(asked(excluded))
      setDone(rise)
      setStep('done')
    })

  return (
    <>
      <Steps
        label={t('series:rise.steps.label')}
        steps={steps}
        now={step}
        nameOf={(one) => t(`series:rise.steps.${one}`)}
      />
      {step === 'series' ? (
        <ChooseStep live={live} chosen={chosen} setChosen={setChosen} onNext={() => setStep('rise')} />
      ) : step === 'rise' ? (
        <RiseStep
          values={values}
          setValues={setValues}
          problem={problem}
          isBusy={isBusy}
          onBack={() => setStep('series')}
          onNext={() => void check(excluded)}
        />
      ) : step === 'check' || !done ? (
        <CheckStep
          items={items}
          excluded={excluded}
          problem={problem}
          isBusy={isBusy}
          onExclude={(lines) => void check(lines)}
          onBack={() => setStep('rise')}
          onSave={() => void save()}
        />
      ) : (
        <DoneStep rise={done} />
      )}
    </>
  )
}

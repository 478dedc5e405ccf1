import '../portal/service.css'
import './request-page.css'
import { Button, Textarea, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { inLanguage, type OptionAnswer, type OptionDefinition } from '../../contract/booking-options.ts'
import { type Address, states } from '../../contract/core/address.ts'
import type { PublicBusiness } from '../../contract/businesses.ts'
import { answerOptions, defaultAnswers } from '../../contract/option-answers.ts'
import { type PublicForm, type RequestQuestion, serviceRequestsApi } from '../../contract/requests.ts'
import { asApiError, type FieldProblem } from '../core/api/error.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { inLanguage as sentence } from '../core/i18n/sentences.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DateInput } from '../core/ui/date-input.tsx'
import { useGuid } from '../core/ui/params.ts'
import { Banner, ContactPanel, Panel, StaffNote } from '../portal/parts.tsx'
import { BusinessLogo } from '../portal/business-logo.tsx'
import { ServiceGate } from '../portal/service-gate.tsx'
import { Questions } from '../questions/questions.tsx'

interface ViewProps {
  form: PublicForm
  business: PublicBusiness
}

/** As the parts that ask questions take them; what a choice costs is the quote’s to say. */
const asOption = (question: RequestQuestion): OptionDefinition => ({
  ...question,
  answeredBy: 'guest',
  choices: question.choices.map((choice) => ({
    ...choice,
    ...{ cents: 0, bp: 0, per: 'once', durationMin: 0, addProductGuid: null },
  })),
})

/** A public page on which anybody requests a quote. */
export function Page() {
  const slug = useGuid()
  const language = useLanguage()
  const read = useRead(serviceRequestsApi.form, { slug }, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <ServiceGate read={read} title={({ form }) => inLanguage(form.heading, language)}>
      {({ form, business }) => <View form={form} business={{ ...business, bankAccount: null }} />}
    </ServiceGate>
  )
}

function View({ form, business }: ViewProps) {
  const t = useT('service', 'requests')
  const language = useLanguage()
  const [done, setDone] = useState<{ reference: string; thanks: string | null } | null>(null)
  return (
    <div className="service request-page">
      <StaffNote />
      {done ? (
        <Banner tone="success" icon="check" title={t('requests:page.doneTitle')} takesFocus>
          <p className="request-words">{done.thanks ?? t('requests:page.doneText')}</p>
          <p>
            <strong>{t('requests:page.reference', { reference: done.reference })}</strong>
          </p>
          <Button variant="default" onClick={() => setDone(null)}>
            {t('requests:page.another')}
          </Button>
        </Banner>
      ) : null}
      <header className="request-head">
        <BusinessLogo business={business} className="request-logo">
          <strong>{business.name}</strong>
        </BusinessLogo>
        <h1 dir="auto">{inLanguage(form.heading, language)}</h1>
        {form.intro && !done ? (
          <p className="request-words no-margin" dir="auto">
            {inLanguage(form.intro, language)}
          </p>
        ) : null}
      </header>
      {done ? null : (
        <RequestCard
          form={form}
          onDone={(reference, thanks) => setDone({ reference, thanks: thanks && inLanguage(thanks, language) })}
        />
      )}
      <ContactPanel business={business} subject={t('requests:page.kind')} />
    </div>
  )
}

const noAddress: Address = { line1: '', line2: null, suburb: '', state: 'NSW', postcode: '' }

interface CardProps {
  form: PublicForm
  onDone: (reference: string, thanks: { en: string; fr?: string | null; ar?: string | null } | null) => void
}

function RequestCard({ form, onDone }: CardProps) {
  const t = useT('requests', 'options', 'record', 'common')
  const text = useErrorText()
  const language = useLanguage()
  const options = form.questions.map(asOption)
  const [person, setPerson] = useState({ name: '', email: '', phone: '', message: '', website: '' })
  const [wantedOn, setWantedOn] = useState('')
  const [site, setSite] = useState<Address | null>(null)
  const [answers, setAnswers] = useState<OptionAnswer[]>(() => defaultAnswers(options))
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const send = useWrite(serviceRequestsApi.send)
  const card = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (problems.length > 0) card.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problems])
  const { visible } = answerOptions({ options, answers, basePriceCents: 0, quantity: '1' })
  const wrong = (path: string) => {
    const found = problems.find((one) => one.path === path)
    return found ? sentence(found.message) : null
  }
  const errors = Object.fromEntries(
    problems.flatMap(({ path, message }) =>
      path.startsWith('answers.') ? [[path.slice('answers.'.length), sentence(message)]] : [],
    ),
  )
  const submit = async () => {
    setFailure(null)
    setProblems([])
    const { name, email, phone, message, website } = person
    try {
      const { reference, thanks } = await send.mutateAsync({
        slug: form.slug,
        ...{ name, message, language },
        email: email.trim() || null,
        phone: phone.trim() || null,
        wantedOn: wantedOn || null,
        siteAddress: site,
        answers: answers.filter(({ option }) => visible.includes(option)),
        ...(website && { website }),
      })
      onDone(reference, thanks)
    } catch (thrown) {
      const error = asApiError(thrown)
      setProblems(error.errors)
      setFailure(text(error))
    }
  }
  const field = (key: 'name' | 'email' | 'phone', more: object) => (
    <TextInput
      label={t(`requests:page.${key}`)}
      value={person[key]}
      error={wrong(key)}
      onChange={(event) => setPerson({ ...person, [key]: event.currentTarget.value })}
      {...more}
    />
  )
  return (
    <Panel>
      <form
        ref={card}
        noValidate
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {field('name', { required: true, maxLength: 120, autoComplete: 'name' })}
        {field('email', {
          type: 'email',
          maxLength: 254,
          autoComplete: 'email',
          description: t('requests:page.reachHint'),
        })}
        {field('phone', { type: 'tel', maxLength: 40, autoComplete: 'tel' })}
        <Textarea
          label={t('requests:page.message')}
          required
          autosize
          minRows={3}
          maxLength={2000}
          value={person.message}
          error={wrong('message')}
          onChange={(event) => setPerson({ ...person, message: event.currentTarget.value })}
        />
        <DateInput
          label={t('requests:page.wanted')}
          min={form.today}
          value={wantedOn}
          error={wrong('wantedOn')}
          onChange={(day) => setWantedOn(day ?? '')}
        />
        <SiteFields site={site} onChange={setSite} wrong={wrong} />
        {visible.length > 0 ? (
          <fieldset className="plain-fieldset service-questions">
            <legend>{t('requests:page.questions')}</legend>
            <Questions
              options={options}
              visible={visible}
              answers={answers}
              errors={errors}
              onChange={(next: OptionAnswer[]) => setAnswers(next)}
            />
          </fieldset>
        ) : null}
        <div className="request-trap" aria-hidden="true">
          <label>
            {t('requests:page.website')}
            <input
              tabIndex={-1}
              autoComplete="off"
              name="website"
              value={person.website}
              onChange={(event) => setPerson({ ...person, website: event.currentTarget.value })}
            />
          </label>
        </div>
        {failure ? (
          <p role="alert" className="form-error no-margin">
            {failure}
          </p>
        ) : null}
        <Button type="submit" size="md" fullWidth loading={send.isPending}>
          {t('requests:page.send')}
        </Button>
      </form>
    </Panel>
  )
}

interface SiteProps {
  site: Address | null
  onChange: (site: Address | null) => void
  wrong: (path: string) => string | null
}

/** Where the work is to be: asked for once somebody wants to say it. */
function SiteFields({ site, onChange, wrong }: SiteProps) {
  const t = useT('requests')
  const [isOpen, setOpen] = useState(false)
  const shown = site ?? noAddress
  if (!isOpen)
    return (
      <Button variant="subtle" style={{ justifySelf: 'start', alignSelf: 'start' }} onClick={() => setOpen(true)}>
        {t('requests:page.addSite')}
      </Button>
    )
  const set = (part: Partial<Address>) => {
    const next = { ...shown, ...part }
    onChange(next.line1 || next.suburb || next.postcode ? next : null)
  }
  return (
    <fieldset className="plain-fieldset stack">
      <legend>{t('requests:page.site')}</legend>
      <TextInput
        label={t('requests:page.line1')}
        autoFocus
        autoComplete="address-line1"
        maxLength={120}
        value={shown.line1}
        error={wrong('siteAddress.line1')}
        onChange={(event) => set({ line1: event.currentTarget.value })}
      />
      <div className="request-place">
        <TextInput
          label={t('requests:page.suburb')}
          maxLength={80}
          value={shown.suburb}
          error={wrong('siteAddress.suburb')}
          onChange={(event) => set({ suburb: event.currentTarget.value })}
        />
        <ChoiceInput
          label={t('requests:page.state')}
          data={states.map((state) => ({ value: state, label: state }))}
          value={shown.state}
          error={wrong('siteAddress.state')}
          onChange={(state) => set({ state: (state ?? 'NSW') as Address['state'] })}
        />
        <TextInput
          label={t('requests:page.postcode')}
          inputMode="numeric"
          maxLength={4}
          value={shown.postcode}
          error={wrong('siteAddress.postcode')}
          onChange={(event) => set({ postcode: event.currentTarget.value })}
        />
      </div>
    </fieldset>
  )
}

import { Alert } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import type { PublicBusiness } from '../../contract/businesses.ts'
import { serviceApi } from '../../contract/service.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import type { ApiError } from '../core/api/error.ts'
import { dropReads, queryClient, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { Panel, useStaffReason } from './parts.tsx'
import { radioName } from './quote-lines.tsx'
import { useServiceFormat } from './service-format.ts'
import { SigningFields, useSigning } from './signing.tsx'
import type { Answers } from './use-answers.ts'
import { depositFor, isChoice, openGroups, totalsWith } from './shown-lines.ts'

const isOutdated = (error: ApiError) =>
  ['STALE_VERSION', 'INVALID_TRANSITION', 'NOT_FOUND', 'CONFLICT'].includes(error.error)
/** What it comes to is not known: nothing is signed until it is. */
const isUnpriced = (error: ApiError | null) => error !== null && !isOutdated(error)
/**
 * The page shows something that is no longer so: read it again before anything else is tried,
 * and say that nothing was done.
 */
export const rereadWhenOutdated = (onRefused: () => void) => (error: ApiError) => {
  if (error.error === 'STALE_VERSION') onRefused()
  if (isOutdated(error)) void dropReads(queryClient, ['service'])
}

export function useQuoteErrorText() {
  const t = useT('service')
  const text = useErrorText()
  return (error: ApiError) => (error.error === 'STALE_VERSION' ? t('service:quote.stale') : text(error))
}

interface AcceptProps {
  guid: string
  quote: ServiceQuote
  business: PublicBusiness
  chosen: ReadonlySet<string>
  answers: Pick<Answers, 'given' | 'quantities' | 'choiceSha256' | 'problems' | 'isPricing' | 'error' | 'again'>
  /** From now on it is said at each question what is missing. */
  onTried: () => void
  onAccepted: () => void
  /** The quote is another one by now; the page shows it next. */
  onRefused: () => void
}

/** Where the customer answers and moves quantities. */
const choosing = ':is(#questions, .offer-quantity)'

/** Drawn first, so that what is wrong is said where the reader is taken to. */
const focusFirstProblem = () =>
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>(`${choosing} :is([aria-invalid="true"], [data-error])`)
    const inner = field?.querySelector<HTMLElement>('input, textarea, button')
    ;(inner ?? field ?? document.querySelector<HTMLElement>('#questions :is(input, textarea, button)'))?.focus()
  })

/** Also a field whose text can't be read holds its question back, though it was never sent. */
const isAnythingWrong = () => document.querySelector(`${choosing} [aria-invalid="true"]`) !== null

function useAcceptForm({ guid, quote, chosen, answers, onTried, onAccepted, onRefused }: AcceptProps) {
  const t = useT('service')
  const signing = useSigning()
  const [isTried, setTried] = useState(false)
  const accept = useWrite(serviceApi.accept, { onSuccess: onAccepted, onError: rereadWhenOutdated(onRefused) })
  const [openGroup] = openGroups(quote.lines, chosen)
  const wrong = Object.keys(answers.problems)
  const problems = {
    choice: openGroup ? t('service:accept.choiceMissing', { group: openGroup }) : null,
    answers: wrong.some((path) => path.startsWith('answers.'))
      ? t('service:accept.answersMissing')
      : wrong.length > 0
        ? t('service:accept.quantitiesWrong')
        : null,
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    onTried()
    if (problems.choice && openGroup) return void document.getElementsByName(radioName(openGroup))[0]?.focus()
    if (problems.answers || isAnythingWrong()) return void focusFirstProblem()
    const signed = signing.signedIn(event.currentTarget)
    if (!signed) return
    accept.mutate({
      guid,
      documentSha256: quote.documentSha256,
      ...signed,
      ...(quote.lines.some(isChoice) ? { selectedLineGuids: [...chosen] } : {}),
      ...(answers.given ? { answers: answers.given } : {}),
      ...(answers.quantities.length > 0 ? { quantities: answers.quantities } : {}),
      ...(answers.choiceSha256 ? { choiceSha256: answers.choiceSha256 } : {}),
    })
  }
  return {
    signing,
    isTried,
    submit,
    accept,
    shown: isTried ? problems : { choice: null, answers: null },
  }
}

/** What it comes to, and the signature that makes it binding. */
export function AcceptPanel(props: AcceptProps) {
  const { quote, business, chosen, answers } = props
  const t = useT('service')
  const f = useServiceFormat(business.timeZone)
  const errorText = useQuoteErrorText()
  const staffReason = useStaffReason()
  const form = useAcceptForm(props)
  const totals = totalsWith(quote, chosen)
  const deposit = depositFor(quote, totals.totalCents)
  const total = f.money(totals.totalCents)
  const error = form.accept.error
  const hasNoPrice = isUnpriced(answers.error)
  return (
    <Panel id="accept" className="no-print">
      <div>
        <p className="muted no-margin">
          {totals.gstCents ? t('service:quote.totalWithGst') : t('service:quote.total')}
        </p>
        <p className={hasNoPrice ? 'service-amount muted' : 'service-amount'} aria-live="polite">
          {total}
        </p>
        {deposit > 0 ? (
          <p className="muted small no-margin">{t('service:quote.depositHint', { amount: f.money(deposit) })}</p>
        ) : null}
      </div>
      {hasNoPrice ? (
        <Alert color="red" variant="light" role="alert">
          {t('service:accept.notPriced')}{' '}
          <button type="button" className="link" onClick={answers.again}>
            {t('service:accept.priceAgain')}
          </button>
        </Alert>
      ) : null}
      <form className="stack" noValidate onSubmit={form.submit} aria-label={t('service:accept.title')}>
        <SigningFields signing={form.signing} isTried={form.isTried} />
        <p className="small no-margin">
          {unbroken(
            t(quote.terms ? 'service:accept.consentTerms' : 'service:accept.consent', {
              number: quote.revision ? `${quote.number} R${quote.revision}` : quote.number,
              total,
              business: business.legalName,
            }),
          )}
        </p>
        {form.shown.choice || form.shown.answers ? (
          <p className="field-error" role="alert">
            {form.shown.choice ?? form.shown.answers}
          </p>
        ) : null}
        {error ? (
          <Alert color={error.error === 'STALE_VERSION' ? 'yellow' : 'red'} variant="light" role="alert">
            {errorText(error)}
          </Alert>
        ) : null}
        <ActionButton
          type="submit"
          size="md"
          fullWidth
          loading={form.accept.isPending || form.accept.isSuccess || answers.isPricing}
          disabledReason={staffReason ?? (hasNoPrice ? t('service:accept.notPriced') : null)}
        >
          {hasNoPrice ? t('service:accept.open') : t('service:accept.button', { total })}
        </ActionButton>
      </form>
    </Panel>
  )
}

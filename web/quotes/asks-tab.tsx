// oxlint-disable unicorn/no-thenable -- the specification names it; it is a word, never a function
import { Button, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { pathOf, pathTo } from '../../contract/nouns.ts'
import { openAsks, quoteRefusal } from '../../contract/quote-actions.ts'
import { isCounterOffer } from '../../contract/negotiation.ts'
import { quotesApi, type Quote } from '../../contract/quotes.ts'
import { useCan } from '../core/api/can.ts'
import { asApiError } from '../core/api/error.ts'
import { dropReads, queryClient, useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { Money } from '../core/ui/money.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import {
  isMarked,
  markOf,
  noMark,
  pricedAnswers,
  problemsByAsk,
  repliesTo,
  sentAnswers,
  whyNoRevision,
  type AskProblems,
  type Mark,
  type Marks,
} from './answer-state.ts'
import { AnsweredAsks } from './answered-asks.tsx'
import { AskRow } from './ask-row.tsx'
import { Delta } from './delta.tsx'
import { quoteName } from './quote-name.ts'
import './negotiation.css'

export interface AsksTabProps {
  quote: Quote
  /** Kept by the page: neither another tab nor news from the customer takes away what was typed. */
  marks: Marks
  onMarks: (change: (marks: Marks) => Marks) => void
  /** Grows each time somebody comes to answer. */
  arrivals: number
}

const restMs = 250
type Then = 'nothing' | 'revise' | 'send'

/** What is about to be answered would come to, as the server prices it. */
function usePriced(quote: Quote, marks: Marks, isOn: boolean) {
  const given = JSON.stringify(pricedAnswers(openAsks(quote), marks))
  const [settled] = useDebouncedValue(given, restMs)
  const answers = JSON.parse(settled) as ReturnType<typeof pricedAnswers>
  const { data } = useRead(
    quotesApi.answerPreview,
    { guid: quote.guid, answers },
    { enabled: isOn && answers.length > 0, keep: true },
  )
  return given === '[]' ? undefined : data
}

/** What the customer asks, and what is answered to it. */
export function AsksTab({ quote, marks, onMarks, arrivals }: AsksTabProps) {
  const t = useT('quotes')
  const open = openAsks(quote)
  const mayAnswer = useCan(quotesApi.answer) && quote.archivedAt === null
  if (quote.asks.length === 0) return <EmptyState title={t('quotes:asks.none')} text={t('quotes:asks.noneText')} />
  return (
    <div className="stack cards">
      {open.length > 0 && mayAnswer ? (
        <OpenAsks key={quote.guid} quote={quote} marks={marks} onMarks={onMarks} arrivals={arrivals} />
      ) : null}
      <AnsweredAsks quote={quote} open={mayAnswer ? open : []} />
    </div>
  )
}

function OpenAsks({ quote, marks, onMarks, arrivals }: AsksTabProps) {
  const t = useT('quotes', 'common')
  const go = useGo()
  const text = useErrorText()
  const open = openAsks(quote)
  const list = useRef<HTMLUListElement>(null)
  const [problems, setProblems] = useState<AskProblems>({})
  const [isReplying, setReplying] = useState(false)
  const answer = useWrite(quotesApi.answer)
  const [running, setRunning] = useState<Then | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const maySend = useCan(quotesApi.send)
  const priced = usePriced(quote, marks, true)
  const focusOn = (guid: string | undefined) =>
    list.current?.querySelector<HTMLElement>(`[data-ask="${guid}"] :is(button, textarea)`)?.focus()
  useEffect(() => {
    if (arrivals > 0) list.current?.querySelector<HTMLElement>('[data-ask] :is(button, textarea)')?.focus()
  }, [arrivals])
  const change = (guid: string, part: Partial<Mark>) => {
    onMarks((before) => ({ ...before, [guid]: { ...(before[guid] ?? noMark), ...part } }))
    setProblems(({ [guid]: _mended, ...others }) => others)
  }
  const next = (index: number) => {
    const rest = [...open.slice(index + 1), ...open.slice(0, index)]
    focusOn(rest.find((ask) => !isMarked(ask, markOf(marks, ask)))?.guid)
  }
  const marked = open.filter((ask) => isMarked(ask, markOf(marks, ask))).length
  const why = whyNoRevision(quote, marks)
  const save = async (then: Then) => {
    const answers = sentAnswers(open, marks)
    setRunning(then)
    setFailure(null)
    try {
      const { revision } = await answer.mutateAsync({ guid: quote.guid, version: quote.version, answers, then })
      setProblems({})
      onMarks(() => ({}))
      if (!revision) return toast.success(t('quotes:asks.saved'))
      const name = quoteName(revision, revision.title)
      toast.success(t(then === 'send' ? 'quotes:asks.revisionSent' : 'quotes:asks.revisionMade', { name }))
      await go(then === 'send' ? pathTo('Quotes', revision.guid) : pathOf('Quotes', 'edit', revision.guid))
    } catch (error) {
      const { errors, responseCode } = asApiError(error)
      setProblems(problemsByAsk(answers, errors))
      // Somebody was faster: what is there now is shown, and what was typed stays.
      if (responseCode === 409) await dropReads(queryClient, ['Quotes'])
      setFailure(error)
    } finally {
      setRunning(null)
    }
  }
  const noRevision = why && t(`quotes:why.${why}`)
  const button = (then: Then, label: string, refusal: string | null, variant?: 'default' | 'light') => (
    <ActionButton
      {...(variant ? { variant } : {})}
      disabledReason={refusal}
      loading={running === then}
      onClick={() => void save(then)}
    >
      {label}
    </ActionButton>
  )
  return (
    <Card
      title={t('quotes:asks.open', { count: open.length })}
      actions={
        <Button variant="subtle" size="sm" onClick={() => setReplying(true)}>
          {t('quotes:asks.replyAll')}
        </Button>
      }
    >
      <p className="muted small no-margin no-print">{t('quotes:asks.keys')}</p>
      <ul className="asks" ref={list}>
        {open.map((ask, index) => (
          <AskRow
            key={ask.guid}
            ask={ask}
            lines={quote.lines}
            mark={markOf(marks, ask)}
            problems={problems[ask.guid]}
            effectCents={priced?.effects.find(({ askGuid }) => askGuid === ask.guid)?.effectCents}
            onChange={(part) => change(ask.guid, part)}
            onNext={() => next(index)}
            onStep={(by) => focusOn(open[index + by]?.guid)}
          />
        ))}
      </ul>
      <div className="asks-foot">
        <p className="no-margin asks-total" role="status">
          {priced ? (
            <>
              {t('quotes:asks.newTotal')} <Money cents={priced.totalCents} className="strong" />{' '}
              <Delta cents={priced.totalCents - quote.totals.totalCents} />
            </>
          ) : (
            <span className="muted">{t('quotes:asks.noTotal')}</span>
          )}
        </p>
        {failure ? (
          <p className="field-error no-margin" role="alert">
            {text(failure)}
          </p>
        ) : null}
        <div className="row asks-buttons">
          {button('nothing', t('quotes:asks.save'), marked === 0 ? t('quotes:why.noAnswer') : null, 'default')}
          {button('revise', t('quotes:asks.saveRevise'), noRevision, 'light')}
          {maySend ? button('send', t('quotes:asks.sendRevision'), noRevision) : null}
        </div>
      </div>
      {isReplying ? (
        <ReplyDialog
          quote={quote}
          onClose={() => setReplying(false)}
          onDone={() => {
            onMarks(() => ({}))
            setReplying(false)
          }}
        />
      ) : null}
    </Card>
  )
}

/** One text to everything that is open: comments are answered, the rest is declined. */
function ReplyDialog({ quote, onClose, onDone }: { quote: Quote; onClose: () => void; onDone: () => void }) {
  const t = useT('quotes')
  const [said, setSaid] = useState('')
  const reply = useWrite(quotesApi.reply)
  const answer = useWrite(quotesApi.answer)
  const open = openAsks(quote)
  const { guid, version } = quote
  const declines = open.some(isCounterOffer)
  const refusal = declines ? quoteRefusal('reply', quote) : null
  const done = () => {
    toast.success(t('quotes:asks.replied'))
    onDone()
  }
  const send = () => {
    const text = said.trim()
    if (declines) return reply.mutate({ guid, version, text }, { onSuccess: done })
    return answer.mutate({ guid, version, answers: repliesTo(open, text), then: 'nothing' }, { onSuccess: done })
  }
  return (
    <AskDialog
      title={t('quotes:asks.replyAll')}
      action={t('quotes:asks.sendReply')}
      error={reply.error ?? answer.error}
      isBusy={reply.isPending || answer.isPending}
      isBlocked={said.trim() === '' || refusal !== null}
      onClose={onClose}
      onAsk={send}
    >
      <p className="no-margin">
        {refusal
          ? t(`quotes:why.${refusal}`)
          : t(declines ? 'quotes:asks.replyText' : 'quotes:asks.replyComments', { count: open.length })}
      </p>
      <Textarea
        label={t('quotes:asks.reply')}
        autosize
        minRows={3}
        maxLength={2000}
        required
        value={said}
        onChange={(event) => setSaid(event.currentTarget.value)}
        data-autofocus
      />
    </AskDialog>
  )
}

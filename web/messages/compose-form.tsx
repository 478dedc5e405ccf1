import './compose.css'
import { Alert, Button, Checkbox, SegmentedControl, Textarea } from '@mantine/core'
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks'
import { useRef, useState, type KeyboardEvent } from 'react'
import { type Composed, messageSentences, messageWritesApi } from '../../contract/message-writes.ts'
import type { Message } from '../../contract/messages.ts'
import { readsLikeOffer } from '../../contract/offer-words.ts'
import { pathTo } from '../../contract/nouns.ts'
import { asApiError, away } from '../core/api/error.ts'
import { useRead, useRun } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { keepEnter } from '../core/ui/keep-enter.ts'
import { AppLink } from '../core/ui/link.tsx'
import type { RichTextHandle } from '../core/ui/rich-text/editor.tsx'
import { wayOf } from './about.ts'
import { AttachedFiles } from './attached-files.tsx'
import { ComposePreview } from './compose-preview.tsx'
import {
  type ComposeErrors,
  type ComposeValues,
  inputOf,
  type Intent,
  keyOf,
  fileKey,
  missingIn,
  categoryOf,
} from './compose-values.ts'
import type { ComposerProps } from './composer.tsx'
import { useKeptDraft } from './kept-draft.ts'
import { FrameFields, WordFields } from './letter-fields.tsx'
import { OfferConsent } from './offer-consent.tsx'
import { RecipientsField } from './recipients-field.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { TextProblems, unsaidOf } from './text-problems.tsx'
import { useSaid } from './use-said.ts'
import { problemsOf, useComposing } from './use-composing.ts'

const previewAfterMs = 500

interface ComposeFormProps extends ComposerProps {
  composed: Composed
  storedAs: string
  first: ComposeValues
  kept: ComposeValues | null
}

export function ComposeForm(props: ComposeFormProps) {
  const { about, message, lead, composed, storedAs, first, kept, onDone, onClose } = props
  const t = useT('compose', 'common', 'errors')
  const text = useErrorText()
  const run = useRun()
  const said = useSaid(composed)
  const isWide = useMediaQuery('(min-width: 61em)', true, { getInitialValueInEffect: false })
  const [part, setPart] = useState<'write' | 'preview'>('write')
  const [isRestored, setRestored] = useState(kept !== null)
  const [isBusy, setBusy] = useState<Intent | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  // It was sent or cancelled elsewhere: there is nothing to change any more.
  const [isOver, setOver] = useState(false)
  const [isFactsAsked, setFactsAsked] = useState(first.isFactsOnly)
  const [isMore, setMore] = useState(() => {
    const { cc, bcc, isOffer } = kept ?? first
    return cc.length > 0 || bcc.length > 0 || isOffer
  })
  const form = useRef<HTMLFormElement>(null)
  const editor = useRef<RichTextHandle>(null)
  const composing = useComposing(about, message ? null : composed, kept ?? first)
  const { values, change, errors, setErrors, fill, isFilling, isLeftBlank, takeBack } = composing
  const isChanged = JSON.stringify(values) !== JSON.stringify(first)
  const draft = useKeptDraft(storedAs, values, isChanged)
  const isNote = values.kind === 'note'
  const status = message?.status
  const intent: Intent = isNote ? 'note' : values.isLater ? 'schedule' : 'send'
  const shown = useShown(props, values)

  const show = (found: ComposeErrors, rest: string | null) => {
    setErrors(found)
    setProblem(rest)
    if (found.cc || found.bcc) setMore(true)
    if (Object.keys(found).length > 0) setPart('write')
    // Once it is drawn.
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 50)
  }
  const kind = templateOf(values, composed, message)?.kind ?? null
  const submit = async (wanted: Intent) => {
    if (isBusy || isOver) return
    const missing = missingIn(values, wanted, t)
    if (wanted !== 'draft' && kind === 'general' && isLeftBlank(values.bodyHtml))
      missing.bodyHtml ??= t('compose:need.body')
    if (Object.keys(missing).length > 0) return show(missing, null)
    setBusy(wanted)
    setProblem(null)
    try {
      const input = inputOf(values, wanted, message)
      const { message: made } = message
        ? await run(messageWritesApi.edit, { guid: message.guid, version: message.version, ...input })
        : await run(wayOf[about.by].write, { [about.by]: about.guid, ...input })
      draft.stop()
      said(values, wanted)
      onDone(wanted === 'note' ? null : made)
    } catch (failure) {
      const { error } = asApiError(failure)
      setOver(message !== undefined && error === 'INVALID_TRANSITION')
      const awaySaid = wanted === 'send' ? 'errors:notSent' : 'errors:notSaved'
      const { errors: found, rest } = problemsOf(failure, error === away ? t(awaySaid) : text(failure))
      // The refusal comes in the language of whoever reads it, so the words themselves are looked at.
      if (found.bodyHtml && soundsLikeOffer(values)) setFactsAsked(true)
      show(found, rest)
    }
    setBusy(null)
    return undefined
  }
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    // A question over the form is inside it for React, and is not sent with it.
    if (!event.currentTarget.contains(event.target as Node)) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) {
      event.preventDefault()
      void submit(intent)
    } else keepEnter(event)
  }
  const attach = (next: (before: readonly string[]) => string[]) =>
    composing.setValues((before) => ({ ...before, attached: next(before.attached) }))
  return (
    <div className="compose" data-part={part}>
      {isWide || isNote ? null : (
        <SegmentedControl
          className="compose-parts"
          aria-label={t('compose:parts')}
          fullWidth
          value={part}
          onChange={(next) => setPart(next as 'write' | 'preview')}
          data={(['write', 'preview'] as const).map((value) => ({ value, label: t(`compose:${value}`) }))}
        />
      )}
      {/* The keys are those of the fields inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        ref={form}
        className="stack compose-fields"
        noValidate
        hidden={!isWide && !isNote && part === 'preview'}
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void submit(intent)
        }}
      >
        {isRestored ? (
          <div className="row compose-restored" role="status">
            <span>{t('compose:restored')}</span>
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => {
                draft.forget()
                composing.setValues(first)
                setErrors({})
                setRestored(false)
              }}
            >
              {t('compose:discard')}
            </Button>
          </div>
        ) : null}
        {lead}
        {message ? null : (
          <SegmentedControl
            aria-label={t('compose:kinds')}
            value={values.kind}
            onChange={(next) => change({ kind: next as ComposeValues['kind'] })}
            data={(['email', 'note'] as const).map((value) => ({ value, label: t(`compose:${value}`) }))}
          />
        )}
        {isNote ? (
          <Textarea
            label={t('compose:noteText')}
            description={t('compose:onlyStaff')}
            autosize
            minRows={4}
            maxRows={16}
            maxLength={4000}
            dir="auto"
            value={values.note}
            error={errors.bodyText}
            onChange={(event) => change({ note: event.currentTarget.value })}
          />
        ) : (
          <>
            <RecipientsField
              label={t('compose:to')}
              description={t('compose:toHint')}
              value={values.to}
              onChange={(to) => change({ to })}
              offered={composed.offered}
              error={errors.to}
              isRequired
              autoFocus
            />
            {isMore ? (
              <>
                {(['cc', 'bcc'] as const).map((name) => (
                  <RecipientsField
                    key={name}
                    label={t(`compose:${name}`)}
                    value={values[name]}
                    onChange={(addresses) => change({ [name]: addresses })}
                    offered={composed.offered}
                    error={errors[name]}
                  />
                ))}
                <Checkbox
                  label={t('compose:isOffer')}
                  description={t('compose:offerHint')}
                  checked={values.isOffer}
                  onChange={(event) => change({ isOffer: event.currentTarget.checked })}
                />
                {values.isOffer ? (
                  <OfferConsent
                    values={values}
                    offered={composed.offered}
                    isRefused={errors.to === inLanguage(messageSentences.noConsent)}
                    onRecorded={() => composing.forgive(['to', 'cc', 'bcc'])}
                  />
                ) : null}
              </>
            ) : (
              <div>
                <button type="button" className="link small" onClick={() => setMore(true)}>
                  {t('compose:more')}
                </button>
              </div>
            )}
            <FrameFields
              values={values}
              composed={composed}
              onTemplate={(guid) => void fill(guid, values.language, true)}
              onLanguage={(language) => void fill(values.templateGuid, language, false)}
              onTheme={(themeGuid) => change({ themeGuid })}
            />
            <div role="status">
              {takeBack ? (
                <div className="row compose-restored">
                  <span>{t('compose:replaced')}</span>
                  <Button variant="subtle" size="compact-sm" onClick={takeBack}>
                    {t('common:undo')}
                  </Button>
                </div>
              ) : null}
            </div>
            <WordFields
              startsIn={props.startsIn}
              values={values}
              errors={errors}
              onChange={change}
              kind={kind}
              onSubmit={() => void submit(intent)}
              editor={editor}
            />
            {isFactsAsked ? (
              <Checkbox
                label={t('compose:isFacts')}
                checked={values.isFactsOnly}
                onChange={(event) => change({ isFactsOnly: event.currentTarget.checked })}
              />
            ) : null}
            <TextProblems
              problems={unsaidOf(shown.problems, errors)}
              onGo={({ line, at }) => editor.current?.goTo(line, at)}
            />
            <AttachedFiles
              owner={{ noun: wayOf[about.by].noun, guid: about.guid }}
              offered={offeredOf(composed, message)}
              chosen={values.attached}
              onChange={attach}
              error={errors.attachments}
            />
            <ScheduleFields values={values} errors={errors} onChange={change} isFixed={status === 'queued'} />
          </>
        )}
        {/* Beside the button that was pressed: the head of a long message is out of sight. */}
        {problem ? (
          <Alert color="red" variant="light" role="alert">
            {problem}{' '}
            {isOver && message ? (
              <AppLink to={pathTo('Messages', message.guid)}>{t('compose:seeMessage')}</AppLink>
            ) : null}
          </Alert>
        ) : null}
        <div className="row compose-actions">
          {onClose ? (
            <Button variant="default" onClick={onClose} disabled={isBusy !== null}>
              {t('common:close')}
            </Button>
          ) : null}
          {isNote || isOver || (status !== undefined && status !== 'draft') ? null : (
            <Button
              variant="default"
              onClick={() => void submit('draft')}
              loading={isBusy === 'draft'}
              disabled={isBusy !== null}
            >
              {t('compose:saveDraft')}
            </Button>
          )}
          {isOver ? null : (
            <Button type="submit" loading={isBusy === intent} disabled={isFilling || isBusy !== null}>
              {t(isNote ? 'compose:saveNote' : intent === 'schedule' ? 'compose:schedule' : 'compose:send')}
            </Button>
          )}
        </div>
      </form>
      {isNote || (!isWide && part === 'write') ? null : (
        <aside className="compose-side">
          <ComposePreview {...shown} language={values.language} />
        </aside>
      )}
    </div>
  )
}

const soundsLikeOffer = ({ subject, bodyHtml }: ComposeValues) =>
  readsLikeOffer(`${subject}\n${bodyHtml.replace(/<[^>]*>/g, ' ')}`)

/** The template that gives the words their variables: those of its kind, where it is not in use any more. */
function templateOf({ templateGuid }: ComposeValues, { templates }: Composed, message: Message | undefined) {
  if (templateGuid === null) return undefined
  const kind = templateGuid === message?.templateGuid ? message.template : null
  return templates.find(({ guid }) => guid === templateGuid) ?? templates.find((one) => one.kind === kind)
}

const offeredOf = ({ attachments }: Composed, message: Message | undefined) => {
  const offered = attachments.map((one) => ({ key: keyOf(one), name: one.name, bytes: one.bytes }))
  const own = message?.files.map(({ guid, name, bytes }) => ({ key: fileKey(guid), name, bytes })) ?? []
  return [...offered, ...own.filter(({ key }) => !offered.some((one) => one.key === key))]
}

/** The message as it would go out, a moment after it was changed. */
function useShown({ about, composed, message }: ComposeFormProps, values: ComposeValues) {
  const { themeGuid, language, subject, bodyHtml, kind } = values
  const template = templateOf(values, composed, message)?.guid
  const wanted = {
    [about.by]: about.guid,
    ...(template ? { templateGuid: template } : {}),
    ...(themeGuid ? { themeGuid } : {}),
    language,
    subject,
    bodyHtml,
    category: categoryOf(values),
  }
  const [asked] = useDebouncedValue(JSON.stringify(wanted), previewAfterMs)
  const read = useRead(messageWritesApi.preview, JSON.parse(asked) as typeof wanted, {
    keep: true,
    enabled: kind === 'email',
  })
  const known = read.data ?? (message ? null : composed)
  return {
    subject: read.data?.subject ?? (message ? subject : composed.shownSubject),
    html: known?.html ?? '',
    text: known?.text ?? '',
    problems: known?.problems ?? [],
    isBehind: read.isPlaceholderData || asked !== JSON.stringify(wanted),
  }
}

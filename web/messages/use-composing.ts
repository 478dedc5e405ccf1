import { useRef, useState } from 'react'
import type { Language } from '../../contract/core/languages.ts'
import type { Composed } from '../../contract/message-writes.ts'
import { request } from '../core/api/client.ts'
import { asApiError } from '../core/api/error.ts'
import { useOwner } from '../core/api/of-business.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { toast } from '../core/ui/toast.tsx'
import { type About, wayOf } from './about.ts'
import { type ComposeErrors, type ComposeField, type ComposeValues } from './compose-values.ts'

/** Which field is to say what is wrong with something. */
const fieldOf: Readonly<Record<string, ComposeField>> = {
  to: 'to',
  cc: 'cc',
  bcc: 'bcc',
  templateGuid: 'templateGuid',
  themeGuid: 'themeGuid',
  subject: 'subject',
  bodyHtml: 'bodyHtml',
  bodyText: 'bodyText',
  attachments: 'attachments',
  scheduledFor: 'scheduledFor',
  timeZone: 'timeZone',
}

/** What the server said of fields, and what belongs to none of them. */
export function problemsOf(failure: unknown, sentence: string): { errors: ComposeErrors; rest: string | null } {
  const errors: ComposeErrors = {}
  const rest: string[] = []
  for (const { path, message } of asApiError(failure).errors) {
    const field = fieldOf[path.split(/[.[]/)[0] ?? '']
    if (field) errors[field] ??= message
    else rest.push(message)
  }
  const isSaid = Object.keys(errors).length > 0
  return { errors, rest: rest.length > 0 ? rest.join(' ') : isSaid ? null : sentence }
}

interface Words {
  subject: string
  bodyHtml: string
}

/**
 * The values of a message that is being written, with what a template puts into them. `composed` is null where the
 * words are somebody's own from the start.
 */
export function useComposing(about: About, composed: Composed | null, first: ComposeValues) {
  const text = useErrorText()
  const business = useOwner()
  const [values, setValues] = useState(first)
  const [errors, setErrors] = useState<ComposeErrors>({})
  const [isFilling, setFilling] = useState(false)
  // What the template said, as long as nobody changed it.
  const [filled, setFilled] = useState<Words>({
    subject: composed?.subject ?? '',
    bodyHtml: composed?.bodyHtml ?? '',
  })
  // Somebody's own, where a template has taken their place.
  const [replaced, setReplaced] = useState<Partial<ComposeValues> | null>(null)
  const asked = useRef(0)

  const change = (next: Partial<ComposeValues>) => {
    setValues((before) => ({ ...before, ...next }))
    const changed: ComposeField[] = Object.keys(next).flatMap((name): ComposeField[] => {
      if (name === 'note') return ['bodyText']
      if (name === 'attached') return ['attachments']
      if (name === 'day' || name === 'minutes' || name === 'isLater') return ['scheduledFor']
      if (name === 'timeZone') return ['timeZone', 'scheduledFor']
      const field = fieldOf[name]
      return field ? [field] : []
    })
    forgive(changed)
  }
  /** What was wrong with these may be right now. */
  const forgive = (fields: readonly ComposeField[]) =>
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !fields.some((field) => field === name))),
    )

  const isOwn = ({ subject, bodyHtml }: Words) =>
    (subject.trim() !== '' || bodyHtml !== '') && (subject !== filled.subject || bodyHtml !== filled.bodyHtml)

  /** The words of a template in a language; what somebody wrote can be had back. */
  const fill = async (templateGuid: string | null, language: Language, isAsked: boolean) => {
    const { subject, bodyHtml, templateGuid: last, language: lastLanguage } = values
    const before = { subject, bodyHtml, templateGuid: last, language: lastLanguage }
    const hasOwn = isOwn(before)
    change({ templateGuid, language })
    // Whatever was asked for before is not waited for any more.
    const turn = ++asked.current
    setFilling(false)
    // In another language somebody's own words stay as they are.
    if (hasOwn && !isAsked) return
    if (templateGuid === null) {
      // What the template said goes with it: its variables would be sent as they are written.
      if (last !== null && subject === filled.subject) change({ subject: '' })
      if (last !== null && bodyHtml === filled.bodyHtml) change({ bodyHtml: '' })
      setFilled({ subject: '', bodyHtml: '' })
      return
    }
    setFilling(true)
    try {
      const answer = await request(wayOf[about.by].load, { guid: about.guid, templateGuid, language }, { business })
      if (turn !== asked.current) return
      if (answer.composed) {
        const words = { subject: answer.composed.subject, bodyHtml: answer.composed.bodyHtml }
        setFilled(words)
        change(words)
        // What was called an offer stays one with other words.
        if (answer.composed.category === 'commercial') change({ isOffer: true })
        if (hasOwn) setReplaced(before)
      }
    } catch (failure) {
      if (turn !== asked.current) return
      change(before)
      toast.error(text(failure))
    }
    setFilling(false)
  }
  /** Nothing was written into the place that the template keeps for it. */
  const isLeftBlank = (bodyHtml: string) => bodyHtml === filled.bodyHtml && bodyHtml.includes('<p></p>')
  /** Gives somebody's own words back, as long as nothing was written since a template took their place. */
  const takeBack =
    replaced === null || isFilling || isOwn(values)
      ? null
      : () => {
          change(replaced)
          setReplaced(null)
        }
  return { values, setValues, change, errors, setErrors, fill, isFilling, isLeftBlank, takeBack, forgive }
}

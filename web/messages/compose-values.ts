import type { Language } from '../../contract/core/languages.ts'
import { type Composed, type MessageAttachment, messageSentences } from '../../contract/message-writes.ts'
import type { Message, MessageCategory } from '../../contract/messages.ts'
import type { T } from '../core/i18n/i18n.ts'

/** A message as it is being written. */
export interface ComposeValues {
  kind: 'email' | 'note'
  to: string[]
  cc: string[]
  bcc: string[]
  /** Null for none. */
  templateGuid: string | null
  themeGuid: string | null
  language: Language
  subject: string
  bodyHtml: string
  note: string
  /** Keys of what goes with it. */
  attached: string[]
  isLater: boolean
  day: string
  minutes: number | null
  timeZone: string
  isOffer: boolean
  isFactsOnly: boolean
}
export type ComposeField =
  | 'to'
  | 'cc'
  | 'bcc'
  | 'templateGuid'
  | 'themeGuid'
  | 'subject'
  | 'bodyHtml'
  | 'bodyText'
  | 'attachments'
  | 'scheduledFor'
  | 'timeZone'
export type ComposeErrors = Partial<Record<ComposeField, string>>
export type Intent = 'draft' | 'send' | 'schedule' | 'note'

/** Something that may go with a message. */
export interface Offered {
  key: string
  name: string
  bytes: number | null
}
type ComposedAttachment = Composed['attachments'][number]

export const fileKey = (guid: string): string => `file:${guid}`
export const keyOf = ({ kind, ownerType, ownerGuid, fileGuid }: ComposedAttachment): string =>
  kind === 'file' ? fileKey(fileGuid ?? '') : `document:${ownerType}:${ownerGuid}`

function attachmentOf(key: string): MessageAttachment {
  const [kind = '', first = '', guid = ''] = key.split(':')
  return kind === 'file'
    ? { kind: 'file', fileGuid: first }
    : { kind: 'document', ownerType: first as 'quote' | 'order' | 'invoice', ownerGuid: guid }
}

/** A new message, as it is composed for what it is about. */
export const newValues = (composed: Composed, timeZone: string): ComposeValues => ({
  kind: 'email',
  to: composed.to,
  cc: composed.cc,
  bcc: [],
  templateGuid: composed.templateGuid,
  themeGuid: composed.themeGuid,
  language: composed.language,
  subject: composed.subject,
  bodyHtml: composed.bodyHtml,
  note: '',
  attached: composed.attachments.filter(({ isChosen }) => isChosen).map(keyOf),
  isLater: false,
  day: '',
  minutes: null,
  timeZone,
  isOffer: composed.category === 'commercial',
  isFactsOnly: false,
})

const minutesOf = (wall: string): number => Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16))

/** A message that is kept already and not sent yet. */
export function valuesOf(message: Message, composed: Composed, timeZone: string): ComposeValues {
  const { source, scheduledFor, status, files } = message
  const documents = composed.attachments.filter(
    ({ kind, name }) => kind === 'document' && message.attachments.some((one) => one.name === name),
  )
  return {
    ...newValues(composed, timeZone),
    to: message.to,
    cc: message.cc,
    bcc: message.bcc,
    templateGuid: message.templateGuid,
    themeGuid: message.themeGuid ?? composed.themeGuid,
    language: source?.language ?? composed.language,
    subject: source?.subject ?? message.subject,
    bodyHtml: source?.bodyHtml ?? '',
    attached: [...documents.map(keyOf), ...files.map(({ guid }) => fileKey(guid))],
    isLater: status === 'scheduled',
    day: scheduledFor?.slice(0, 10) ?? '',
    minutes: scheduledFor ? minutesOf(scheduledFor) : null,
    timeZone: message.timeZone ?? timeZone,
    isOffer: message.category === 'commercial',
    isFactsOnly: source?.isFactsOnly === true,
  }
}

const two = (part: number) => String(part).padStart(2, '0')
/** `YYYY-MM-DDTHH:MM`, or null while a part of it is missing. */
export const wallOf = ({ day, minutes }: ComposeValues): string | null =>
  day && minutes !== null ? `${day}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}` : null

const isBlank = (html: string): boolean => html.replace(/<(?!hr|table)[^>]*>|&nbsp;|\s/g, '') === ''

const variable = /\{\{\s*[a-z_.]+\s*\}\}/
/** Without a template braces are words like others: whoever left a variable there is told before it is sent so. */
function unfilled({ templateGuid, subject, bodyHtml }: ComposeValues, t: T): ComposeErrors {
  if (templateGuid !== null) return {}
  const said = (text: string) => {
    const [name] = variable.exec(text) ?? []
    return name === undefined ? null : t('compose:need.template', { name })
  }
  const [ofSubject, ofBody] = [said(subject), said(bodyHtml)]
  return { ...(ofSubject && { subject: ofSubject }), ...(ofBody && { bodyHtml: ofBody }) }
}

/** What is missing before it is worth asking the server. Drafts may miss anything. */
export function missingIn(values: ComposeValues, intent: Intent, t: T): ComposeErrors {
  if (intent === 'note') return values.note.trim() ? {} : { bodyText: t('compose:need.note') }
  if (intent === 'draft') return {}
  return {
    ...(values.to.length === 0 && { to: messageSentences.recipient }),
    ...(values.subject.trim() === '' && { subject: t('compose:need.subject') }),
    ...(isBlank(values.bodyHtml) && { bodyHtml: t('compose:need.body') }),
    ...unfilled(values, t),
    ...(intent === 'schedule' && wallOf(values) === null && { scheduledFor: t('compose:need.when') }),
  }
}

/** Offers are for those who agreed. */
export const categoryOf = ({ isOffer }: ComposeValues): MessageCategory => (isOffer ? 'commercial' : 'transactional')

/** What is sent of it. Template and theme that stay stay in the versions that the message has. */
export function inputOf(values: ComposeValues, intent: Intent, message: Message | undefined) {
  if (intent === 'note') return { intent, bodyText: values.note.trim() }
  const { to, cc, bcc, templateGuid, themeGuid, language, bodyHtml, isFactsOnly } = values
  const subject = values.subject.trim()
  const scheduledFor = values.isLater ? wallOf(values) : null
  return {
    intent,
    to,
    cc,
    bcc,
    ...(message && templateGuid === message.templateGuid ? {} : { templateGuid }),
    ...(themeGuid === null || themeGuid === message?.themeGuid ? {} : { themeGuid }),
    language,
    ...(subject ? { subject } : {}),
    bodyHtml,
    attachments: values.attached.map(attachmentOf),
    ...(scheduledFor === null ? {} : { scheduledFor, timeZone: values.timeZone }),
    category: categoryOf(values),
    ...(isFactsOnly ? { isFactsOnly } : {}),
  }
}

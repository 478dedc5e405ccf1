import { type TemplateKind, templateKinds } from '../../contract/messages.ts'
import { type Language, languages } from '../../contract/core/languages.ts'
import type { TemplateTexts } from '../../contract/email-templates.ts'
import { htmlOfText } from '../core/html/body.ts'
import { serverPhrases } from '../core/i18n/phrases.ts'

interface FirstText {
  subject: string
  body: string
  button: string
}
const texts: Readonly<Record<Language, Readonly<Record<TemplateKind, FirstText>>>> = {
  en: serverPhrases.en.messages.template,
  fr: serverPhrases.fr.messages.template,
  ar: serverPhrases.ar.messages.template,
}
const made = ({ subject, body, button }: FirstText): TemplateTexts => ({
  subject,
  preheader: '',
  bodyHtml: body
    .split('\n\n')
    .map((paragraph) => (paragraph.startsWith('<') ? paragraph : htmlOfText(paragraph)))
    .join(''),
  button,
})

/** The templates every business starts with, in every language. */
export const firstTemplates = Object.fromEntries(
  languages.map((language) => [
    language,
    Object.fromEntries(templateKinds.map((kind) => [kind, made(texts[language][kind])])),
  ]),
) as Readonly<Record<Language, Readonly<Record<TemplateKind, TemplateTexts>>>>

/** Reminders beside the one by default: of what is due soon, and of what was reminded of before. */
const ladderSteps = ['soon', 'final'] as const
export type LadderTemplate = (typeof ladderSteps)[number]
export const ladderTemplates = Object.fromEntries(
  ladderSteps.map((step) => [
    step,
    Object.fromEntries(languages.map((language) => [language, made(serverPhrases[language].messages.ladder[step])])),
  ]),
) as Readonly<Record<LadderTemplate, Readonly<Record<Language, TemplateTexts>>>>

// oxlint-disable-next-line no-control-regex -- a header line holds no control characters
const controls = /[\u0000-\u001f\u007f\u2028\u2029]+/g

/** One header line: whatever was put in, it has no line break. */
export const oneLine = (text: string): string => text.replace(controls, ' ').replace(/ {2,}/g, ' ').trim()

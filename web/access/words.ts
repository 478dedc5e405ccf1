import type { Conditions } from '../../contract/core/ability.ts'
import { actions } from '../../contract/explain.ts'
import type { Action } from '../../contract/core/op.ts'
import type { Format } from '../core/i18n/format.ts'
import { phraseOr, type T } from '../core/i18n/i18n.ts'
import { sentenceCase } from '../core/i18n/sentence-case.ts'

export const nounOfSubject = (subject: string) => subject.split(':', 1)[0] ?? subject

const spaced = (word: string) => word.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')

/** The noun of a subject, `Invoices` of `Invoices:Refund:Guid`, as people call it. */
export const nounText = (subject: string): string => {
  const noun = nounOfSubject(subject)
  return phraseOr(`access:nouns.${noun}`, spaced(noun))
}

/** What stands behind the noun; empty for a noun by itself. */
export function tailText(subject: string): string {
  const tail = subject.split(':').slice(1)
  if (tail.length === 0) return ''
  return phraseOr(
    `access:tails.${tail.join('_')}`,
    tail
      .filter((word) => word !== 'Guid')
      .map(spaced)
      .join(' › '),
  )
}

/** The name of a row: the noun, or what stands behind it where the noun is the heading above. */
export const rowText = (subject: string): string => sentenceCase(tailText(subject)) || nounText(subject)

/** `Quotes:Send:Guid` as `Quotes › sending`: what people can follow. */
export const subjectText = (subject: string): string =>
  [nounText(subject), tailText(subject)].filter(Boolean).join(' › ')

export const actionText = (action: string): string => phraseOr(`access:actions.${action}`, action)

/** A right as one phrase: `Change · Quotes › sending`. */
export const rightText = (action: string, subject: string): string => `${actionText(action)} · ${subjectText(subject)}`

export const isAction = (value: unknown): value is Action => actions.some((action) => action === value)

export const statusWord = (status: string) => phraseOr(`common:status.${status}`, status.replaceAll('_', ' '))

/** The conditions of a rule in words, each by itself; `businessName` names a business by its guid. */
export function conditionTexts(
  conditions: Conditions | null,
  t: T,
  f: Format,
  businessName: (guid: string) => string | undefined = () => undefined,
): string[] {
  if (conditions === null || typeof conditions !== 'object') return []
  const texts: string[] = []
  if (conditions.isLoginRequired) texts.push(t('access:conditions.login'))
  if (conditions.guestAuthenticationRequired) texts.push(t('access:conditions.guest'))
  if (conditions.scope === 'own' || conditions.scope === 'assigned')
    texts.push(t(`access:conditions.${conditions.scope}`))
  if (conditions.statusIn)
    texts.push(t('access:conditions.status', { statuses: conditions.statusIn.map(statusWord).join(', ') }))
  if (conditions.amountBelowCents !== undefined)
    texts.push(t('access:conditions.amount', { amount: f.money(conditions.amountBelowCents) }))
  if (conditions.business !== undefined) {
    const names = [conditions.business].flat().map(businessName)
    texts.push(
      names.every((name) => name !== undefined)
        ? t('access:conditions.business', { names: names.join(', ') })
        : t('access:conditions.someBusiness'),
    )
  }
  return texts
}

interface RuleShown {
  subject: string
  action: string
  conditions: Conditions | null
  inverted: boolean
}

/** A rule in one sentence: `allows Change · Quotes › sending, only what is assigned to the person`. */
export function ruleText(rule: RuleShown, t: T, f: Format): string {
  const more = conditionTexts(rule.conditions, t, f)
  return [
    t(rule.inverted ? 'access:rule.denies' : 'access:rule.allows', {
      right:
        rule.subject === 'all'
          ? `${actionText(rule.action)} · ${t('access:nouns.all')}`
          : rightText(rule.action, rule.subject),
    }),
    ...more,
  ].join(', ')
}

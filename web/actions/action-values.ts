import type { Action, ActionChoices, ActionEffect, EffectType } from '../../contract/actions.ts'
import { actionInput, type ActionInput } from '../../contract/actions.ts'
import { actionSentence, eventName, type NameOf } from '../../contract/action-sentence.ts'
import type { Condition } from '../../contract/core/conditions.ts'
import { languageNow } from '../core/i18n/store.ts'
import type { Fields } from '../record/record-facts.tsx'

/** What the form holds: an effect may still lack what it names. */
export interface ActionValues {
  name: string
  eventKey: string | null
  conditions: Condition | null
  delayMinutes: number | null
  effects: ActionEffect[]
}

export const emptyAction: ActionValues = { name: '', eventKey: null, conditions: null, delayMinutes: 0, effects: [] }
export const valuesOfAction = ({ name, eventKey, conditions, delayMinutes, effects }: Action): ActionValues => ({
  name,
  eventKey,
  conditions,
  delayMinutes,
  effects,
})

/** What an effect begins with. */
export const emptyEffects: { readonly [T in EffectType]: Extract<ActionEffect, { type: T }> } = {
  message: { type: 'message', templateGuid: '', to: 'customer', attachDocument: false },
  notify: { type: 'notify', to: 'recordOwner', text: '' },
  transition: { type: 'transition', deed: '' },
  tag: { type: 'tag', add: [], remove: [] },
  webhook: { type: 'webhook', webhookGuid: '' },
}

/** What records are called that effects name. */
export function namesIn({ templates, roles, users, webhooks }: ActionChoices): NameOf {
  const names = new Map([...templates, ...roles, ...users, ...webhooks].map(({ guid, label }) => [guid, label]))
  return (guid) => names.get(guid)
}

/** The action as a sentence while it is being written. */
export const sentenceOf = (values: ActionValues, nameOf: NameOf): string =>
  actionSentence(
    { ...values, eventKey: values.eventKey ?? '', delayMinutes: values.delayMinutes ?? 0 },
    languageNow(),
    nameOf,
  )

const show = (part: 'conditions' | 'effects') => (_: unknown, __: unknown, whole: Readonly<Record<string, unknown>>) =>
  JSON.stringify(whole[part] ?? null)
/** What is known of an action, in the order of the form. */
export const actionRows: Fields<ActionInput> = {
  schema: actionInput,
  rows: {
    name: { label: 'actions:name' },
    eventKey: { label: 'actions:when', words: (value) => eventName(value, languageNow()) },
    conditions: { label: 'actions:if', show: show('conditions') },
    delayMinutes: { label: 'actions:after' },
    effects: { label: 'actions:then', show: show('effects') },
  },
}

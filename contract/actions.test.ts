import { expect, test } from 'vitest'
import ar from './action-words/ar.json' with { type: 'json' }
import en from './action-words/en.json' with { type: 'json' }
import fr from './action-words/fr.json' with { type: 'json' }
import { actionReach, actionSentence, effectSentence, type Said } from './action-sentence.ts'
import { actionEvents, deedsOf, effectsFor, templateFits } from './actions.ts'
import type { Condition } from './core/conditions.ts'
import { languages } from './core/languages.ts'
import { conditionProblems, eventFields, fieldsOf } from './event-fields.ts'

const role = '01890000-0000-7000-8000-000000000001'
const template = '01890000-0000-7000-8000-000000000002'
const names = new Map([
  [role, 'Office'],
  [template, 'Thanks'],
])
const nameOf = (guid: string) => names.get(guid)
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/[\u200e\u200f\u061c]/g, '')
const inAll = (action: Said) => languages.map((language) => plain(actionSentence(action, language, nameOf)))
const notify = { type: 'notify', to: { roleGuid: role }, text: 'Look at this.' } as const
const action = (more: Partial<Said>): Said => ({
  eventKey: 'order.completed',
  conditions: null,
  delayMinutes: 0,
  effects: [notify],
  ...more,
})

test('an action is a sentence that people read, in their language', () => {
  const said = action({ conditions: { path: 'order.toInvoice', is: 'above', value: 500_000 }, delayMinutes: 120 })
  expect(inAll(said)).toEqual([
    'When an order is completed and more than $5,000 is not invoiced, after two hours, notify Office.',
    'Quand une commande est terminée et que plus de 5 000 $ ne sont pas facturés, après deux heures, prévenir Office.',
    'عندما يكتمل طلب وأكثر من $5,000 لم يُفوتر، بعد ساعتين، إشعار Office.',
  ])
})

test('groups, delays and several effects are said, too', () => {
  const conditions: Condition = {
    all: [
      {
        any: [
          { path: 'total', is: 'atLeast', value: 12_345 },
          { path: 'title', is: 'contains', value: 'tent' },
        ],
      },
      { not: { path: 'order.scheduledOn', is: 'above', value: '2026-04-07' } },
      { path: 'reason', is: 'isEmpty' },
    ],
  }
  const effects: Said['effects'] = [
    { type: 'message', templateGuid: template, to: 'customer', attachDocument: true },
    { type: 'transition', deed: 'close' },
    { type: 'tag', add: ['done', 'big'], remove: ['open'] },
    { type: 'notify', to: 'recordOwner', text: 'x' },
  ]
  expect(inAll(action({ conditions, delayMinutes: 1501, effects }))[0]).toBe(
    'When an order is completed and (the total is $123.45 or more or the title contains “tent”) and it isn’t true ' +
      'that the scheduled day is after 7 April 2026 and the reason is empty, after one day, one hour and one minute, ' +
      'email “Thanks” with the PDF to the customer, close the order, add the tags “done” and “big” and remove the ' +
      'tag “open” and notify the record’s owner.',
  )
  expect(inAll(action({ eventKey: '', effects: [] }))[0]).toBe('When …, ….')
})

test('an effect is a sentence of its own, to the customer by name', () => {
  const email = { type: 'message', templateGuid: template, to: 'customer', attachDocument: false } as const
  const told = (customer?: string) =>
    languages.map((language) => effectSentence(email, 'order.completed', language, nameOf, customer))
  expect(told('Acme')).toEqual([
    'Email “Thanks” to Acme',
    'Envoyer l’e-mail « Thanks » à Acme',
    'إرسال البريد «Thanks» إلى Acme',
  ])
  expect(told()[1]).toBe('Envoyer l’e-mail « Thanks » au client')
  expect(actionReach(action({ effects: [email, notify] }), 'en')).toEqual({
    uses: 'the event alone',
    affects: 'customers and staff',
  })
})

test('everything that an action may speak of has its words in every language', () => {
  const paths = new Set(actionEvents.flatMap((event) => fieldsOf(event).map(({ path }) => path)))
  for (const words of [en, fr, ar]) {
    expect(actionEvents.filter((event) => !Object.hasOwn(words.events, event))).toEqual([])
    expect([...paths].filter((path) => !Object.hasOwn(words.fields, path))).toEqual([])
    expect(Object.keys(words).toSorted()).toEqual(Object.keys(en).toSorted())
    for (const [noun, deeds] of Object.entries(deedsOf))
      expect(Object.keys((words.deeds as Record<string, object>)[noun] ?? {})).toEqual(Object.keys(deeds))
  }
})

test('a path that an event does not have is refused, and the one that was meant is named', () => {
  const problems = (one: Condition) => conditionProblems(one, eventFields('order.completed'), 'conditions')
  expect(problems({ path: 'order.total', is: 'above', value: 1 })).toEqual([])
  expect(problems({ all: [{ not: { path: 'order.totall', is: 'above', value: 1 } }] })).toEqual([
    { path: 'conditions.all.0.not.path', message: 'There is no `order.totall`. Did you mean `order.total`?' },
  ])
  expect(problems({ any: [{ path: 'weather', is: 'isEmpty' }] })).toEqual([
    { path: 'conditions.any.0.path', message: 'There’s no variable called `weather`.' },
  ])
  expect(problems({ path: 'customer', is: 'isEmpty' })).toEqual([
    { path: 'conditions.path', message: 'Choose a field of `customer`, such as `customer.name`.' },
  ])
  expect(problems({ path: 'total', is: 'contains', value: '1' })).toEqual([
    { path: 'conditions.is', message: 'This comparison doesn’t fit the field.' },
  ])
  expect(problems({ path: 'total', is: 'above', value: '1' })).toEqual([
    { path: 'conditions.value', message: 'Enter an amount in cents.' },
  ])
  expect(problems({ path: 'order.lines', is: 'isEmpty' })).toEqual([])
  expect(problems({ path: 'order.lines.name', is: 'isEmpty' })).toHaveLength(1)
  expect(problems({ path: 'order.scheduledOn', is: 'below', value: 'soon' })[0]?.path).toBe('conditions.value')
})

test('an event has the effects that its record can have', () => {
  expect(effectsFor('Orders')).toEqual(['message', 'notify', 'transition', 'tag', 'webhook'])
  expect(effectsFor('Users')).toEqual(['notify', 'webhook'])
  expect([
    templateFits('order', 'Orders'),
    templateFits('general', 'Orders'),
    templateFits('invoice', 'Orders'),
  ]).toEqual([true, true, false])
})

import { expect, test } from 'vitest'
import { catalogue } from './api.ts'
import { parentOf } from './core/ability.ts'
import { events } from './events.ts'
import { isNoun, nounNamed, nounNames, numberedBy, nouns, pathOf, pathTo, readRight, rightsOf, rowOf } from './nouns.ts'
import { dashboard, servicePages } from './places.ts'
import { numberedKinds } from './businesses.ts'
import { staleAfter } from './stale.ts'

/** Rights of the house itself: no records stand behind them. */
const houseRights = [
  'Account',
  'Auth',
  'Calculators',
  'Cron',
  'Dashboards',
  'Dev',
  'Events',
  'Live',
  'Journal',
  'Maintenance',
  'Search',
  'Service',
  'Setup',
  'Statements',
  'Tax',
]

test('whoever has records of its own has a row', () => {
  const parents = [...new Set(catalogue.map(({ subject }) => parentOf(subject)))]
  expect(parents.filter((parent) => !isNoun(parent) && !houseRights.includes(parent))).toEqual([])
})

test('the right to read records is that of the pages that show them, where they have pages of their own', () => {
  // Sub-statuses are read with orders; their page in Setup is for who makes them.
  const own = nounNames.filter((name) => name !== 'Contacts' && name !== 'Substatuses')
  expect(nouns.Substatuses.pages.list.can).toEqual(['create', 'Orders:Substatuses:Create'])
  const rights = own.flatMap((name) => {
    const { list, view } = rowOf(name).pages ?? {}
    return [
      ...(list ? [[list.can, readRight(name, 'All')]] : []),
      ...(view ? [[view.can, readRight(name, 'Guid')]] : []),
    ]
  })
  expect(rights.filter(([page, read]) => page?.join() !== read?.join())).toEqual([])
  expect(readRight('Refunds', 'All')).toEqual(nouns.Payments.pages.list.can)
})

test('rows name each other, and nothing that is not there', () => {
  const lists = nounNames.flatMap((name) => [
    ...(rowOf(name).shownOn ?? []),
    ...(rowOf(name).makes ?? []),
    parentOf(rightsOf(name)),
  ])
  expect(
    lists.filter((name) => !isNoun(name) && !['Dashboards', 'Events', 'Kernal', 'Service'].includes(name)),
  ).toEqual([])
  expect(new Set(nounNames.map((name) => nouns[name].one)).size).toBe(nounNames.length)
})

test('every counter numbers a noun, and every event belongs to one', () => {
  expect(numberedKinds.filter((kind) => !numberedBy(kind))).toEqual([])
  const nounOfPrefix = new Map(nounNames.map((name) => [nouns[name].one as string, name]))
  const astray = Object.entries(events).filter(([event, { noun }]) => {
    const named = nounOfPrefix.get(event.split('.')[0] ?? '')
    return named !== undefined && named !== noun
  })
  expect(astray).toEqual([])
})

test('a record is found at its page, and what is done to it is read again wherever it shows', () => {
  expect(pathTo('Quotes', 'abc')).toBe('/apps/quotes/preview/abc')
  expect(pathTo('Refunds', 'abc')).toBeNull()
  expect(pathTo('Quotes')).toBe('/apps/quotes/list')
  expect(pathOf('Quotes', 'edit', 'abc')).toBe('/apps/quotes/edit/abc')
  expect([nounNamed('quote'), nounNamed('nothing')]).toEqual(['Quotes', null])
  expect(staleAfter('Payments')).toEqual(
    expect.arrayContaining(['Payments', 'Invoices', 'Orders', 'Customers', 'Messages', 'Dashboards']),
  )
})

test('every page is opened by a right that some operation asks for', () => {
  const known = new Set(catalogue.map(({ action, subject }) => `${action} ${subject}`))
  const pages = nounNames.flatMap((name) => Object.values(rowOf(name).pages ?? {}))
  const rights = [...pages, ...Object.values(servicePages), dashboard].map(({ can }) => can.join(' '))
  expect(rights.filter((right) => !known.has(right))).toEqual([])
})

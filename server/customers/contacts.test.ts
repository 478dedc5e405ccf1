import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actors } from '../../test/support/actors.ts'
import { aCustomer, ok, startStaffed } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

interface Contact {
  guid: string
  version: number
  name: string
  email: string | null
  links: { customerGuid: string | null; siteGuid: string | null; label: string; role: string; isPrimary: boolean }[]
  archivedAt: string | null
}
interface One {
  contact: Contact
}
interface Listed {
  items: { guid: string; name: string; customerGuid: string | null; customerName: string | null; role: string }[]
}
interface Customer {
  customer: {
    version: number
    contacts: { guid: string; name: string; role: string; isPrimary: boolean; receivesReminders: boolean }[]
  }
}

const address = { line1: '1 Wharf St', suburb: 'Balmain', state: 'NSW', postcode: '2041' }
let app: Running
let people: Actors
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed())
})
afterAll(() => app.stop())

const post = (body: Record<string, unknown>) => app.call<One>(people.office, 'POST', '/Contacts', body)
const list = async (query: string) => ok(await app.call<Listed>(people.office, 'GET', `/Contacts?${query}`)).items
const contactsOf = async (guid: string) =>
  ok(await app.call<Customer>(people.office, 'GET', `/Customers/${guid}`)).customer

describe('a contact', () => {
  test('belongs to several customers and sites, to each in a role of its own', async () => {
    const first = await aCustomer(app, people.office, { displayName: 'Ashgrove', sites: [{ name: 'Wharf', address }] })
    const second = await aCustomer(app, people.office, { displayName: 'Bellweather', contacts: [{ name: 'Old hand' }] })
    const { contact } = ok(
      await post({
        name: 'Rita Book',
        email: 'rita@books.example',
        links: [
          { customerGuid: first.guid, role: 'billing' },
          { customerGuid: second.guid, role: 'approver', isPrimary: true },
          { siteGuid: first.sites[0]?.guid, role: 'site' },
        ],
      }),
      201,
    )
    expect(contact.links.map(({ label, role }) => [label, role])).toEqual([
      ['Ashgrove', 'billing'],
      ['Bellweather', 'approver'],
      ['Ashgrove, Wharf', 'site'],
    ])
    expect((await contactsOf(first.guid)).contacts).toMatchObject([{ name: 'Rita Book', role: 'billing' }])
    expect((await contactsOf(second.guid)).contacts.map(({ name, isPrimary }) => [name, isPrimary])).toEqual([
      ['Rita Book', true],
      ['Old hand', false],
    ])
    expect(await list('search=rita')).toMatchObject([{ customerName: 'Ashgrove', role: 'billing' }])
    expect((await list(`customerGuid=${second.guid}`)).map(({ name }) => name)).toEqual(['Old hand', 'Rita Book'])
  })

  test('who is left out of one customer stays with the others', async () => {
    const first = await aCustomer(app, people.office, { displayName: 'Kestrel' })
    const second = await aCustomer(app, people.office, { displayName: 'Lantern' })
    const { contact } = ok(
      await post({ name: 'Shared Sam', links: [{ customerGuid: first.guid }, { customerGuid: second.guid }] }),
      201,
    )
    const { version } = await contactsOf(first.guid)
    ok(await app.call(people.office, 'PATCH', `/Customers/${first.guid}`, { version, contacts: [] }))
    expect((await contactsOf(first.guid)).contacts).toEqual([])
    expect((await contactsOf(second.guid)).contacts).toMatchObject([{ guid: contact.guid }])
    expect(await list('search=shared')).toMatchObject([{ customerGuid: second.guid, customerName: 'Lantern' }])
  })

  test('is changed by its version, and archived away from everybody', async () => {
    const customer = await aCustomer(app, people.office, { displayName: 'Opal' })
    const { contact } = ok(await post({ name: 'Uma Late', links: [{ customerGuid: customer.guid }] }), 201)
    const change = (body: Record<string, unknown>) =>
      app.call<One>(people.office, 'PATCH', `/Contacts/${contact.guid}`, body)
    const changed = ok(await change({ version: 1, email: 'uma@opal.example' })).contact
    expect(changed).toMatchObject({ email: 'uma@opal.example', version: 2, links: [{ label: 'Opal' }] })
    expect((await change({ version: 1, email: null })).error).toBe('STALE_VERSION')
    ok(await app.call(people.office, 'DELETE', `/Contacts/${contact.guid}`))
    expect((await contactsOf(customer.guid)).contacts).toEqual([])
    expect((await change({ version: 3, name: 'No more' })).error).toBe('INVALID_TRANSITION')
  })

  test('needs a customer or a site that is there', async () => {
    const customer = await aCustomer(app, people.office, { displayName: 'Pelican' })
    const nobody = '00000000-0000-7000-8000-000000000001'
    const refused = async (links: unknown) => {
      const answer = await post({ name: 'Lost', links })
      return [answer.status, ...answer.errors.map(({ path, message }) => `${path}: ${message}`)]
    }
    expect(await refused([])).toEqual([422, 'links: Choose a customer or a site.'])
    expect(await refused([{ role: 'site' }])).toEqual([422, 'links.0.customerGuid: Choose a customer or a site.'])
    expect(await refused([{ customerGuid: nobody }])).toEqual([
      422,
      'links.0.customerGuid: We can’t find that customer.',
    ])
    expect(await refused([{ siteGuid: nobody }])).toEqual([422, 'links.0.siteGuid: We can’t find that site.'])
    expect(await refused([{ customerGuid: customer.guid }, { customerGuid: customer.guid }])).toEqual([
      422,
      'links.1.customerGuid: This is listed twice.',
    ])
  })

  test('is for those who may write contacts', async () => {
    const customer = await aCustomer(app, people.office, { displayName: 'Quarry' })
    const body = { name: 'Vera', links: [{ customerGuid: customer.guid }] }
    expect((await app.call(people.readOnly, 'POST', '/Contacts', body)).status).toBe(403)
    expect((await app.call(people.field, 'GET', '/Contacts')).status).toBe(403)
  })
})

import { businessesApi } from '../../contract/businesses.ts'
import { customersApi } from '../../contract/customers.ts'
import { productsApi } from '../../contract/products.ts'
import { usersApi } from '../../contract/users.ts'
import { businesses } from '../businesses/businesses.service.ts'
import { customers } from '../customers/customers.service.ts'
import { products } from '../products/products.service.ts'
import { users } from '../users/users.service.ts'
import { play, type Stage } from './actors.ts'
import { brand, sister, sisterCustomers, sisterProducts } from './company.businesses.ts'

const minuteMs = 60_000

/** A brand of the company and a second company; one person works in the first company alone. */
export async function makeBusinesses(stage: Stage, company: string, salesGuid: string): Promise<void> {
  // The company comes first: it speaks for the installation.
  const later = { ...stage, at: new Date(stage.at.getTime() + minuteMs) }
  await play(later, businessesApi.create, businesses.create, {
    ...brand,
    parentGuid: company,
    customersOf: company,
    catalogueOf: company,
  })
  const { business } = await play(later, businessesApi.create, businesses.create, { ...sister })
  const there = { ...later, businessGuid: business.guid }
  for (const input of sisterCustomers) await play(there, customersApi.create, customers.create, { ...input })
  for (const input of sisterProducts) await play(there, productsApi.create, products.create, { ...input })
  const { user } = await play(later, usersApi.get, users.get, { guid: salesGuid })
  await play(later, usersApi.update, users.update, {
    guid: user.guid,
    version: user.version,
    businessGuids: [company],
  })
}

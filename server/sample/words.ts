import { consentsApi } from '../../contract/consents.ts'
import { customersApi } from '../../contract/customers.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { ordersApi } from '../../contract/orders.ts'
import { productsApi } from '../../contract/products.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { consents } from '../customers/consents.service.ts'
import { messageWrites } from '../messages/writing.service.ts'
import { type TagNoun, tagging } from '../tags/tags.service.ts'
import { play } from './actors.ts'

type Stage = Parameters<typeof play>[0]
interface Known {
  guid: string
  name: string
}

const ofCustomers: Readonly<Record<string, readonly string[]>> = {
  'Ashgrove Building Co': ['Builder', 'Key account'],
  'Bellweather Projects': ['Builder'],
  'Cormorant Constructions': ['Builder', 'Needs purchase order'],
  'Eastbank Apartments': ['Strata', 'Call first'],
  'Kestrel Property Group': ['Strata'],
  'Tidewater Strata': ['Strata', 'Key account'],
  'Underhill Civil': ['Civil', 'Key account', 'Needs purchase order'],
}
const ofProducts: readonly (readonly string[])[] = [['Popular'], ['Popular', 'Heavy'], ['Heavy']]
const ofDocuments: readonly (readonly string[])[] = [['Spring'], ['Urgent'], ['Spring', 'Night work'], ['Council']]

const notes: readonly (readonly [customer: string, text: string])[] = [
  ['Ashgrove Building Co', 'Marta wants the gate on the lane side. Dog on site, call from the street.'],
  ['Ashgrove Building Co', 'Pays on the 15th. Asked us to put the purchase order in the subject of invoices.'],
  ['Cormorant Constructions', 'Council inspection every second Tuesday: no deliveries before noon.'],
  ['Tidewater Strata', 'Committee meets on the first Monday. Quotes above $5,000 need two of them.'],
]
const said: readonly (readonly [address: string, kind: 'express' | 'inferred' | 'withdrawn', proof: string])[] = [
  ['marta@ashgrove.example', 'express', 'Ticked on the quote form'],
  ['dinesh@bellweather.example', 'inferred', 'Customer since 2025'],
  ['leila@cormorant.example', 'express', 'Asked for the newsletter by phone'],
  ['leila@cormorant.example', 'withdrawn', 'Unsubscribed by email'],
]

const ops = {
  Customers: customersApi.tag,
  Products: productsApi.tag,
  Quotes: quotesApi.tag,
  Orders: ordersApi.tag,
  Invoices: invoicesApi.tag,
}

/** What people write beside records. */
export async function makeWords(stage: Stage, customers: readonly Known[]) {
  const tag = (noun: TagNoun, guid: string, add: readonly string[]) =>
    play(stage, ops[noun], tagging(noun).tag, { guid, add: [...add] })
  for (const { guid, name } of customers) {
    const tags = ofCustomers[name]
    if (tags) await tag('Customers', guid, tags)
  }
  for (const [name, bodyText] of notes) {
    const customer = customers.find((one) => one.name === name)
    if (customer)
      await play(stage, messageWritesApi.write, messageWrites.write, {
        customerGuid: customer.guid,
        intent: 'note',
        bodyText,
      })
  }
  for (const [address, kind, proof] of said)
    await play(stage, consentsApi.record, consents.record, { address, kind, proof })
  for (const [noun, table, sets] of [
    ['Products', 'products', ofProducts],
    ['Quotes', 'quotes', ofDocuments],
    ['Orders', 'orders', ofDocuments],
    ['Invoices', 'invoices', ofDocuments],
  ] as const) {
    const newest = await stage.deps.db
      .selectFrom(table as 'quotes')
      .select('guid')
      .where('archivedAt', 'is', null)
      .orderBy('createdAt', 'desc')
      .orderBy('guid')
      .limit(sets.length * 2)
      .execute()
    for (const [i, { guid }] of newest.entries()) await tag(noun, guid, sets[i % sets.length] ?? [])
  }
}

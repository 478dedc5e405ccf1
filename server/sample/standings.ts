import { type Customer, customersApi, type CustomerInput } from '../../contract/customers.ts'
import { mergesApi } from '../../contract/merges.ts'
import { customers } from '../customers/customers.service.ts'
import { matchDuplicates, merges } from '../customers/merges.service.ts'
import { onStage, play } from './actors.ts'

type Stage = Parameters<typeof play>[0]
interface Known {
  guid: string
  name: string
}

/** What became of some customers: each standing and limit there is, some who may be one, and some who were merged. */
export async function makeStandings(stage: Stage, known: readonly Known[]) {
  const read = (guid: string) => onStage(stage, (ctx) => customers.get(ctx, { guid }))
  const of = async (name: string): Promise<Pick<Customer, 'guid' | 'version'>> => {
    const found = known.find((customer) => customer.name === name)
    if (!found) throw new Error(`the sample has no ${name}`)
    return (await read(found.guid)).customer
  }
  const change = async (name: string, changes: Partial<CustomerInput>) => {
    const { guid, version } = await of(name)
    await play(stage, customersApi.update, customers.update, { guid, version, ...changes })
  }
  const add = async (input: Partial<CustomerInput>) =>
    (await play(stage, customersApi.create, customers.create, input)).customer
  const merge = async (name: string, from: Pick<Customer, 'guid' | 'version'>) => {
    const keep = await of(name)
    return play(stage, mergesApi.merge, merges.merge, {
      keepGuid: keep.guid,
      keepVersion: keep.version,
      fromGuid: from.guid,
      fromVersion: from.version,
    })
  }
  await change('Eastbank Apartments', { terms: { isOnHold: true, holdReason: 'Cheque returned unpaid' } })
  await change('Kestrel Property Group', { terms: { limitCents: 50_000 } })
  await change('Underhill Civil', { terms: { limitCents: 5_000_000, discountBp: 500 } })
  await change('Inkwell Press', { status: 'inactive' })
  const verdant = await of('Verdant Landscapes')
  await play(stage, customersApi.block, customers.block, { guid: verdant.guid, version: verdant.version })
  await add({ displayName: 'Zephyr Rooftop Bar', status: 'lead', email: 'hello@zephyr.example', phone: '02 5550 4391' })

  await add({ displayName: 'Ashgrove Building Company', abn: '53004085616', phone: '02 5550 2210' })
  await add({ displayName: 'Mulberry and Sons Pty Ltd', phone: '(02) 5550 3377' })
  await add({ displayName: 'Redgum Roofing P/L', email: 'lachlan@redgum.example' })

  await merge('Harbourline Facades', await add({ displayName: 'Harbourline', phone: '02 5550 2901' }))
  const undone = await merge('Tidewater Strata', await add({ displayName: 'Tidewater Marina' }))
  await play(stage, mergesApi.undo, merges.undo, { guid: undone.merge.guid, version: undone.merge.version })
  await onStage({ ...stage, by: { kind: 'system', name: 'duplicates' } }, matchDuplicates)
}

import { bookingOptionsApi } from '../../contract/booking-options-api.ts'
import { jobTypesApi } from '../../contract/job-types.ts'
import { productsApi } from '../../contract/products.ts'
import { bookingOptions as service } from '../booking-options/booking-options.service.ts'
import { jobTypes as jobTypesService } from '../job-types/job-types.service.ts'
import { products as productsService } from '../products/products.service.ts'
import { play, type Stage } from './actors.ts'
import { jobTypes } from './company.job-types.ts'
import { askedFor, bookingOptions } from './company.options.ts'

/** The questions of the sample company, and what asks them; answers with its kinds of jobs by name. */
export async function makeOptions(
  stage: Stage,
  products: ReadonlyMap<string, { guid: string; version: number }>,
): Promise<ReadonlyMap<string, string>> {
  const guids = new Map<string, string>()
  for (const option of bookingOptions) {
    const { bookingOption } = await play(stage, bookingOptionsApi.create, service.create, { ...option })
    guids.set(option.code, bookingOption.guid)
  }
  const jobTypeGuids = await makeJobTypes(stage, products, guids)
  for (const [sku, codes] of Object.entries(askedFor)) {
    const product = products.get(sku)
    if (!product) continue
    await play(stage, productsApi.update, productsService.update, {
      guid: product.guid,
      version: product.version,
      optionGuids: codes.flatMap((code) => guids.get(code) ?? []),
    })
  }
  return jobTypeGuids
}

/** The kinds of jobs of the sample company. */
async function makeJobTypes(
  stage: Stage,
  products: ReadonlyMap<string, { guid: string }>,
  options: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const made = new Map<string, string>()
  for (const { lines, options: asked = [], ...jobType } of jobTypes) {
    const known = lines.flatMap(([sku, quantity]) => {
      const product = products.get(sku)
      return product ? [{ productGuid: product.guid, quantity }] : []
    })
    const optionGuids = asked.flatMap((code) => options.get(code) ?? [])
    const { jobType: one } = await play(stage, jobTypesApi.create, jobTypesService.create, {
      ...jobType,
      optionGuids,
      lines: known,
    })
    made.set(one.name, one.guid)
  }
  return made
}

import { bookingOptionsApi } from '../../contract/booking-options-api.ts'
import { productsApi } from '../../contract/products.ts'
import { bookingOptions as service } from '../booking-options/booking-options.service.ts'
import { products as productsService } from '../products/products.service.ts'
import { play, type Stage } from './actors.ts'
import { askedFor, bookingOptions } from './company.options.ts'

/** The questions of the sample company, and the products that ask them. */
export async function makeOptions(
  stage: Stage,
  products: ReadonlyMap<string, { guid: string; version: number }>,
): Promise<void> {
  const guids = new Map<string, string>()
  for (const option of bookingOptions) {
    const { bookingOption } = await play(stage, bookingOptionsApi.create, service.create, { ...option })
    guids.set(option.code, bookingOption.guid)
  }
  for (const [sku, codes] of Object.entries(askedFor)) {
    const product = products.get(sku)
    if (!product) continue
    await play(stage, productsApi.update, productsService.update, {
      guid: product.guid,
      version: product.version,
      optionGuids: codes.flatMap((code) => guids.get(code) ?? []),
    })
  }
}

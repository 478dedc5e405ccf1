import { productsApi } from '../../contract/products.ts'
import { useRead } from '../core/api/hooks.ts'
import { Loaded } from '../core/ui/states.tsx'
import { ProductFacts, ProductUsage } from './product-details.tsx'

/** A product at a glance, without leaving the list. */
export function ProductPeek({ guid }: { guid: string }) {
  const read = useRead(productsApi.get, { guid })
  return (
    <Loaded of={read}>
      {({ product }) => (
        <div className="stack">
          {product.description ? <p className="no-margin pre-line prose">{product.description}</p> : null}
          <ProductFacts product={product} />
          <ProductUsage usage={product.usage} />
        </div>
      )}
    </Loaded>
  )
}

import { useState } from 'react'
import { productsApi, type Product } from '../../contract/products.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { useStaleBase } from '../record/stale-base.ts'
import { StaleChoice } from '../record/stale-choice.tsx'
import { gstText, productKindText, unitText } from './product-columns.tsx'
import { ProductForm, valuesOfProduct, type SentProduct } from './product-form.tsx'

export function Page() {
  const guid = useGuid()
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(productsApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return <Loaded of={read}>{({ product }) => <Editor key={product.guid} first={product} />}</Loaded>
}

function Editor({ first }: { first: Product }) {
  const t = useT('products', 'lines')
  const f = useFormat()
  const go = useGo()
  const [mine, setMine] = useState<SentProduct | null>(null)
  const update = useWrite(productsApi.update)
  const { base, round, answers } = useStaleBase(first, update)
  const preview = `/apps/products/preview/${base.guid}`
  return (
    <>
      <PageHeader
        title={t('products:edit.of', { name: base.name })}
        crumbs={[
          { to: '/apps/products/list', label: t('products:list.title') },
          { to: preview, label: base.name },
        ]}
      />
      <ProductForm
        key={round}
        defaults={valuesOfProduct(base)}
        saveLabel={t('products:save')}
        save={async (input) => {
          setMine(input)
          await update.mutateAsync({ guid: base.guid, version: base.version, ...input })
          toast.success(t('products:saved', { name: input.name }))
          await go(preview)
        }}
      />
      <StaleChoice<Product>
        error={update.error}
        noun="product"
        mine={mine as Partial<Product> | null}
        fields={[
          { label: t('products:name'), show: (p) => p.name },
          { label: t('products:sku'), show: (p) => p.sku ?? '' },
          { label: t('products:kind'), show: (p) => productKindText(p.kind ?? '') },
          { label: t('products:description'), show: (p) => p.description ?? '' },
          { label: t('products:unit'), show: (p) => unitText(p.unit ?? '') },
          { label: t('products:price'), show: (p) => f.money(p.priceCents ?? 0) },
          { label: t('products:gst'), show: (p) => gstText(p.gstCode ?? '') },
        ]}
        {...answers}
      />
    </>
  )
}

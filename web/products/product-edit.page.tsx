import { productsApi, type Product } from '../../contract/products.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { useSaving } from '../record/saving.tsx'
import { TagList } from '../record/tag-list.tsx'
import { productFields } from './product-fields.ts'
import { ProductForm, valuesOfProduct } from './product-form.tsx'

export function Page() {
  const guid = useGuid()
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(productsApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return <Loaded of={read}>{({ product }) => <Editor key={product.guid} first={product} />}</Loaded>
}

function Editor({ first }: { first: Product }) {
  const t = useT('products')
  const go = useGo()
  const update = useWrite(productsApi.update)
  const { base, round, save, dialog } = useSaving({
    first,
    noun: 'product',
    fields: productFields,
    send: async (version, changes) => {
      const { product } = await update.mutateAsync({ guid: first.guid, version, ...changes })
      return product
    },
  })
  const preview = pathTo('Products', base.guid)
  return (
    <>
      <PageHeader
        title={t('products:edit.of', { name: base.name })}
        below={<TagList guid={base.guid} tags={base.tags} ops={productsApi} />}
        crumbs={[
          { to: pathTo('Products'), label: t('products:list.title') },
          { to: preview, label: base.name },
        ]}
      />
      <ProductForm
        key={round}
        defaults={valuesOfProduct(base)}
        parts={base.parts}
        saveLabel={t('products:save')}
        save={async (_input, changes) => {
          const saved = await save(changes)
          toast.success(t('products:saved', { name: saved.name }))
          await go(preview)
        }}
      />
      {dialog}
    </>
  )
}

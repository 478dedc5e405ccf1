import { productsApi } from '../../contract/products.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { emptyProduct, ProductForm } from './product-form.tsx'

export function Page() {
  const t = useT('products')
  const go = useGo()
  const create = useWrite(productsApi.create)
  return (
    <>
      <PageHeader
        title={t('products:add.title')}
        crumbs={[{ to: pathTo('Products'), label: t('products:list.title') }]}
      />
      <ProductForm
        defaults={emptyProduct}
        saveLabel={t('products:create')}
        save={async (input) => {
          const { product } = await create.mutateAsync(input)
          toast.success(t('products:made', { name: product.name }))
          await go(pathTo('Products', product.guid))
        }}
      />
    </>
  )
}

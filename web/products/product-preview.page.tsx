import { productsApi, type Product } from '../../contract/products.ts'
import { useMay } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast, toastWithAction } from '../core/ui/toast.tsx'
import '../record/record.css'
import { MoreMenu } from '../record/more-menu.tsx'
import { ProductFacts, ProductUsage } from './product-details.tsx'
import './products.css'

export function Page() {
  const guid = useGuid()
  const read = useRead(productsApi.get, { guid })
  return <Loaded of={read}>{({ product }) => <Preview product={product} />}</Loaded>
}

function Preview({ product }: { product: Product }) {
  const t = useT('products', 'lines', 'record', 'common')
  const go = useGo()
  const may = useMay()
  const text = useErrorText()
  const { guid } = product
  const failed = { onError: (error: unknown) => toast.error(text(error)) }
  const restore = useWrite(productsApi.restore, {
    ...failed,
    onSuccess: () => toast.success(t('products:restored', { name: product.name })),
  })
  const archive = useWrite(productsApi.remove, {
    ...failed,
    onSuccess: () =>
      void toastWithAction(t('products:archived', { name: product.name }), t('common:undo'), () =>
        restore.mutate({ guid }),
      ),
  })
  const isArchived = product.archivedAt !== null
  return (
    <>
      <PageHeader
        title={product.name}
        subtitle={product.sku}
        badge={isArchived ? <StatusChip status="archived" /> : null}
        crumbs={[{ to: '/apps/products/list', label: t('products:list.title') }]}
        actions={
          <>
            <MoreMenu
              items={[
                {
                  key: 'archive',
                  label: t('products:archive'),
                  icon: 'archive',
                  isHidden: isArchived || !may(productsApi.remove),
                  onClick: () => archive.mutate({ guid }),
                },
                {
                  key: 'restore',
                  label: t('products:restore'),
                  icon: 'undo',
                  isHidden: !isArchived || !may(productsApi.restore),
                  onClick: () => restore.mutate({ guid }),
                },
              ]}
            />
            {may(productsApi.update) ? (
              <ActionButton icon="edit" onClick={() => void go(`/apps/products/edit/${guid}`)}>
                {t('common:edit')}
              </ActionButton>
            ) : null}
          </>
        }
      />
      <div className="with-rail">
        <Card title={t('products:details')}>
          <div className="stack">
            <p className={`no-margin pre-line prose ${product.description ? '' : 'muted'}`}>
              {product.description ?? t('products:noDescription')}
            </p>
            <ProductFacts product={product} />
          </div>
        </Card>
        <div>
          <Card title={t('products:usage.title')}>
            <div className="stack">
              <ProductUsage usage={product.usage} />
              <p className="muted small no-margin">{t('products:usage.hint')}</p>
            </div>
          </Card>
        </div>
      </div>
    </>
  )
}

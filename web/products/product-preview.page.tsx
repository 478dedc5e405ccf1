import { productsApi, type Product } from '../../contract/products.ts'
import { pathOf } from '../../contract/nouns.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import '../record/record.css'
import { ProductFacts, ProductUsage } from './product-details.tsx'
import { archivingActions } from '../record/archiving.ts'
import { RecordFrame } from '../record/record-frame.tsx'
import './products.css'

export function Page() {
  const guid = useGuid()
  const read = useRead(productsApi.get, { guid })
  return <Loaded of={read}>{({ product }) => <Preview product={product} />}</Loaded>
}

function Preview({ product }: { product: Product }) {
  const t = useT('products', 'lines', 'record', 'common')
  const go = useGo()
  const { guid } = product
  return (
    <RecordFrame
      noun="Products"
      title={product.name}
      subtitle={product.sku}
      badge={product.archivedAt ? <StatusChip status="archived" /> : null}
      listLabel={t('products:list.title')}
      actions={[
        ...archivingActions(t, 'products', productsApi, { name: product.name, archivedAt: product.archivedAt }),
        { key: 'edit', op: productsApi.update, label: t('common:edit'), icon: 'edit', place: 'main' },
      ]}
      record={product}
      deeds={{ edit: { run: () => go(pathOf('Products', 'edit', guid)) } }}
      rail={
        <Card title={t('products:usage.title')}>
          <div className="stack">
            <ProductUsage usage={product.usage} />
            <p className="muted small no-margin">{t('products:usage.hint')}</p>
          </div>
        </Card>
      }
    >
      <Card title={t('products:details')}>
        <div className="stack">
          <p className={`no-margin pre-line prose ${product.description ? '' : 'muted'}`}>
            {product.description ?? t('products:noDescription')}
          </p>
          <ProductFacts product={product} />
        </div>
      </Card>
    </RecordFrame>
  )
}

import { Tabs } from '@mantine/core'
import { bookingOptionsApi } from '../../contract/booking-options-api.ts'
import { ProductOptions } from '../booking-options/product-options.tsx'
import { productsApi, type Product } from '../../contract/products.ts'
import { pathOf } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import '../record/record.css'
import { ProductPictures } from './product-pictures.tsx'
import { ProductFacts, ProductPrices, ProductUsage } from './product-details.tsx'
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
  const mayOptions = useCan(bookingOptionsApi.list)
  const { guid } = product
  return (
    <RecordFrame
      noun="Products"
      title={product.name}
      subtitle={product.sku}
      badge={<StatusChip status={product.status} />}
      tags={{ of: product.tags, ops: productsApi }}
      listLabel={t('products:list.title')}
      actions={[
        ...archivingActions(t, 'products', productsApi, { name: product.name, archivedAt: product.archivedAt }),
        { key: 'edit', op: productsApi.update, label: t('common:edit'), icon: 'edit', place: 'main' },
        {
          key: 'activate',
          op: productsApi.activate,
          label: t('products:activate'),
          icon: 'check',
          place: 'main',
          isHidden: product.status !== 'draft',
          said: t('products:activated', { name: product.name }),
        },
      ]}
      record={product}
      deeds={{ edit: { run: () => go(pathOf('Products', 'edit', guid)) } }}
    >
      <Card>
        <Tabs defaultValue="details" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="details">{t('products:details')}</Tabs.Tab>
            <Tabs.Tab value="prices">{t('products:prices')}</Tabs.Tab>
            {mayOptions ? <Tabs.Tab value="options">{t('products:options')}</Tabs.Tab> : null}
            <Tabs.Tab value="pictures">{t('products:pictures.title')}</Tabs.Tab>
            <Tabs.Tab value="usage">{t('products:usage.title')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="details" className="product-panel">
            <div className="stack">
              <p className={`no-margin pre-line prose ${product.description ? '' : 'muted'}`}>
                {product.description ?? t('products:noDescription')}
              </p>
              <ProductFacts product={product} />
              {product.publicText ? (
                <div>
                  <p className="strong no-margin">{t('products:publicText')}</p>
                  <p className="no-margin pre-line prose">{product.publicText}</p>
                </div>
              ) : null}
            </div>
          </Tabs.Panel>
          <Tabs.Panel value="prices" className="product-panel">
            <ProductPrices product={product} />
          </Tabs.Panel>
          <Tabs.Panel value="options" className="product-panel">
            <ProductOptions value={product.optionGuids} />
          </Tabs.Panel>
          <Tabs.Panel value="pictures" className="product-panel">
            <ProductPictures product={product} />
          </Tabs.Panel>
          <Tabs.Panel value="usage" className="product-panel">
            <div className="stack">
              <ProductUsage usage={product.usage} />
              <p className="muted small no-margin">{t('products:usage.hint')}</p>
            </div>
          </Tabs.Panel>
        </Tabs>
      </Card>
    </RecordFrame>
  )
}

import { useSearch } from '@tanstack/react-router'
import { businessesApi } from '../../contract/businesses.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { emptyInvoice, InvoiceForm } from './invoice-form.tsx'

export function Page() {
  const t = useT('invoices')
  const go = useGo()
  const { customerGuid } = useSearch({ strict: false }) as { customerGuid?: string }
  const business = useRead(businessesApi.current, {})
  const create = useWrite(invoicesApi.create)
  return (
    <>
      <PageHeader
        title={t('invoices:add.title')}
        crumbs={[{ to: pathTo('Invoices'), label: t('invoices:list.title') }]}
      />
      <Loaded of={business}>
        {({ business: defaults }) => (
          <InvoiceForm
            isNew
            defaults={emptyInvoice(defaults, customerGuid ?? null)}
            business={defaults}
            save={async (input) => {
              const { invoice } = await create.mutateAsync(input)
              toast.success(t('invoices:saved', { name: invoice.title }))
              await go(pathTo('Invoices', invoice.guid))
            }}
          />
        )}
      </Loaded>
    </>
  )
}

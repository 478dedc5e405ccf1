import { businessesApi } from '../../contract/businesses.ts'
import { invoicesApi, type Invoice } from '../../contract/invoices.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import type { Defaults } from '../lines/document-values.ts'
import { totalOf } from '../lines/line-state.ts'
import { useStaleEditor } from '../lines/stale-editor.tsx'
import { InvoiceForm, valuesOfInvoice } from './invoice-form.tsx'

export function Page() {
  const t = useT('invoices')
  const guid = useGuid()
  const business = useRead(businessesApi.current, {})
  const read = useRead(invoicesApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  const closed = (text: string) => (
    <EmptyState
      scene="lock"
      title={t('invoices:notDraft.title')}
      text={text}
      action={
        <AppLink to={`/apps/invoices/preview/${guid}`} className="button-link">
          {t('invoices:notDraft.back')}
        </AppLink>
      }
    />
  )
  return (
    <Loaded of={business}>
      {({ business: defaults }) => (
        <Loaded of={read}>
          {({ invoice }) =>
            invoice.status !== 'draft' ? (
              closed(t('invoices:notDraft.text'))
            ) : (
              <Editor key={invoice.guid} first={invoice} business={defaults} />
            )
          }
        </Loaded>
      )}
    </Loaded>
  )
}

function Editor({ first, business }: { first: Invoice; business: Defaults }) {
  const t = useT('invoices')
  const go = useGo()
  const update = useWrite(invoicesApi.update)
  const { base, round, dialog, noteMine } = useStaleEditor(first, update, 'invoice')
  const isFromOrder = base.orderGuid !== null
  return (
    <>
      <PageHeader
        title={t('invoices:edit.of')}
        subtitle={base.title}
        crumbs={[
          { to: '/apps/invoices/list', label: t('invoices:list.title') },
          { to: `/apps/invoices/preview/${base.guid}`, label: t('invoices:preview.draftTitle') },
        ]}
      />
      <InvoiceForm
        key={round}
        defaults={valuesOfInvoice(base)}
        business={business}
        customerName={base.customer.displayName}
        fromOrder={isFromOrder ? base : undefined}
        save={async ({ lines, customerGuid, priceMode, roundingRule, discount, ...input }) => {
          noteMine({
            title: input.title,
            totalCents: isFromOrder
              ? base.totals.totalCents
              : totalOf({ lines, priceMode, roundingRule, discount }, base),
          })
          await update.mutateAsync({
            guid: base.guid,
            version: base.version,
            ...input,
            ...(isFromOrder ? {} : { lines, customerGuid, priceMode, roundingRule, discount }),
          })
          toast.success(t('invoices:saved', { name: input.title }))
          await go(`/apps/invoices/preview/${base.guid}`)
        }}
      />
      {dialog}
    </>
  )
}

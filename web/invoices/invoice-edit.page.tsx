import { leadsFrom } from '../../contract/core/transitions.ts'
import { invoicesApi, type Invoice } from '../../contract/invoices.ts'
import { pathTo } from '../../contract/nouns.ts'
import { invoiceTransitions } from '../../contract/invoice-transitions.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import type { Defaults } from '../lines/document-values.ts'
import { documentGroups } from '../lines/document-fields.tsx'
import { DocumentLines } from '../lines/document-lines.tsx'
import { OwnTerms } from '../lines/own-terms.tsx'
import { useSaving } from '../record/saving.tsx'
import { TagList } from '../record/tag-list.tsx'
import { InvoiceForm, invoiceFields, valuesOfInvoice } from './invoice-form.tsx'
import { InvoiceTotals } from './invoice-totals.tsx'

export function Page() {
  const t = useT('invoices')
  const guid = useGuid()
  const read = useRead(invoicesApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  const closed = (text: string) => (
    <EmptyState
      scene="lock"
      title={t('invoices:notDraft.title')}
      text={text}
      action={
        <AppLink to={pathTo('Invoices', guid)} className="button-link">
          {t('invoices:notDraft.back')}
        </AppLink>
      }
    />
  )
  return (
    <Loaded of={read}>
      {({ invoice }) =>
        !leadsFrom(invoiceTransitions, 'update', invoice.status) ? (
          closed(t('invoices:notDraft.text'))
        ) : (
          <OwnTerms noun="Invoices" of={invoice}>
            {(business) => <Editor key={invoice.guid} first={invoice} business={business} />}
          </OwnTerms>
        )
      }
    </Loaded>
  )
}

function Editor({ first, business }: { first: Invoice; business: Defaults }) {
  const t = useT('invoices')
  const go = useGo()
  const update = useWrite(invoicesApi.update)
  const { base, round, save, dialog } = useSaving({
    first,
    noun: 'invoice',
    fields: invoiceFields,
    together: documentGroups,
    send: async (version, changes) => (await update.mutateAsync({ guid: first.guid, version, ...changes })).invoice,
  })
  const isFromOrder = base.orderGuid !== null
  return (
    <>
      <PageHeader
        title={t('invoices:edit.of')}
        subtitle={base.title}
        below={<TagList guid={base.guid} tags={base.tags} ops={invoicesApi} />}
        crumbs={[
          { to: pathTo('Invoices'), label: t('invoices:list.title') },
          { to: pathTo('Invoices', base.guid), label: t('invoices:preview.draftTitle') },
        ]}
      />
      <InvoiceForm
        key={round}
        defaults={valuesOfInvoice(base)}
        business={business}
        customerName={base.customer.displayName}
        fromOrder={isFromOrder ? { invoice: base, lines: <FixedLines invoice={base} /> } : undefined}
        save={async (_input, changes) => {
          const saved = await save(changes)
          toast.success(t('invoices:saved', { name: saved.title }))
          await go(pathTo('Invoices', saved.guid))
        }}
      />
      {dialog}
    </>
  )
}

function FixedLines({ invoice }: { invoice: Invoice }) {
  const t = useT('invoices')
  return (
    <>
      <DocumentLines lines={invoice.lines} priceMode={invoice.priceMode} hasAllParts label={t('invoices:order')} />
      <InvoiceTotals invoice={invoice} />
    </>
  )
}

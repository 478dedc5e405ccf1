import { useState } from 'react'
import { businessesApi } from '../../contract/businesses.ts'
import { invoicesApi, type Invoice } from '../../contract/invoices.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { StaleDialog, staleRecord } from '../core/ui/stale-dialog.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { InvoiceForm, valuesOfInvoice, type Defaults } from './invoice-form.tsx'

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
        <Loaded of={read}>{({ invoice }) => (invoice.status !== 'draft' ? closed(t('invoices:notDraft.text')) : <Editor key={invoice.guid} first={invoice} business={defaults} />)}</Loaded>
      )}
    </Loaded>
  )
}

function Editor({ first, business }: { first: Invoice; business: Defaults }) {
  const t = useT('invoices')
  const go = useGo()
  const [base, setBase] = useState(first)
  const [title, setTitle] = useState(first.title)
  const [round, setRound] = useState(0)
  const update = useWrite(invoicesApi.update)
  const theirs = staleRecord<Invoice>(update.error, 'invoice')
  const isFromOrder = base.orderGuid !== null
  return (
    <>
      <PageHeader title={t('invoices:edit.of')} subtitle={base.title} crumbs={[{ to: '/apps/invoices/list', label: t('invoices:list.title') }, { to: `/apps/invoices/preview/${base.guid}`, label: t('invoices:preview.draftTitle') }]} />
      <InvoiceForm
        key={round}
        defaults={valuesOfInvoice(base)}
        business={business}
        customerName={base.customer.displayName}
        fromOrder={isFromOrder ? base : undefined}
        save={async ({ lines, customerGuid, priceMode, roundingRule, discount, ...input }) => {
          setTitle(input.title)
          await update.mutateAsync({ guid: base.guid, version: base.version, ...input, ...(isFromOrder ? {} : { lines, customerGuid, priceMode, roundingRule, discount }) })
          toast.success(t('invoices:saved'))
          await go(`/apps/invoices/preview/${base.guid}`)
        }}
      />
      {theirs ? (
        <StaleDialog
          isOpen
          rows={[
            { label: t('invoices:name'), mine: title, theirs: theirs.title, isDifferent: title !== theirs.title },
            { label: t('invoices:total'), mine: <Money cents={base.totals.totalCents} />, theirs: <Money cents={theirs.totals.totalCents} />, isDifferent: base.totals.totalCents !== theirs.totals.totalCents },
          ]}
          onKeepMine={() => {
            setBase({ ...base, version: theirs.version })
            update.reset()
          }}
          onTakeTheirs={() => {
            setBase(theirs)
            setRound(round + 1)
            update.reset()
          }}
          onClose={() => update.reset()}
        />
      ) : null}
    </>
  )
}

import { useState } from 'react'
import { businessesApi } from '../../contract/businesses.ts'
import { quotesApi, type Quote } from '../../contract/quotes.ts'
import { asApiError } from '../core/api/error.ts'
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
import { QuoteForm, valuesOfQuote, type Defaults } from './quote-form.tsx'
import { quoteName } from './quote-name.ts'

export function Page() {
  const t = useT('quotes')
  const guid = useGuid()
  const business = useRead(businessesApi.current, {})
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(quotesApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <Loaded of={business}>
      {({ business: defaults }) => (
        <Loaded of={read}>
          {({ quote }) =>
            quote.status === 'draft' ? (
              <Editor key={quote.guid} first={quote} business={defaults} />
            ) : (
              <EmptyState
                scene="lock"
                title={t('quotes:notDraft.title')}
                text={t('quotes:notDraft.text')}
                action={
                  <AppLink to={`/apps/quotes/preview/${guid}`} className="button-link">
                    {t('quotes:notDraft.back')}
                  </AppLink>
                }
              />
            )
          }
        </Loaded>
      )}
    </Loaded>
  )
}

function Editor({ first, business }: { first: Quote; business: Defaults }) {
  const t = useT('quotes')
  const go = useGo()
  const [base, setBase] = useState(first)
  const [mine, setMine] = useState<{ title: string; totalCents: number | null } | null>(null)
  const [round, setRound] = useState(0)
  const update = useWrite(quotesApi.update)
  const theirs = staleRecord<Quote>(update.error, 'quote')
  const name = quoteName(base, t('quotes:draftNumber'))
  return (
    <>
      <PageHeader title={t('quotes:edit.of', { name })} crumbs={[{ to: '/apps/quotes/list', label: t('quotes:list.title') }, { to: `/apps/quotes/preview/${base.guid}`, label: name }]} />
      <QuoteForm
        key={round}
        defaults={valuesOfQuote(base)}
        business={business}
        customerName={base.customer.displayName}
        saveLabel={t('quotes:save')}
        save={async (input) => {
          setMine({ title: input.title, totalCents: null })
          await update.mutateAsync({ guid: base.guid, version: base.version, ...input })
          toast.success(t('quotes:saved'))
          await go(`/apps/quotes/preview/${base.guid}`)
        }}
      />
      {theirs ? (
        <StaleDialog
          isOpen
          rows={[
            { label: t('quotes:name'), mine: mine?.title, theirs: theirs.title, isDifferent: mine?.title !== theirs.title },
            { label: t('quotes:total'), mine: <Money cents={base.totals.totalCents} />, theirs: <Money cents={theirs.totals.totalCents} />, isDifferent: base.totals.totalCents !== theirs.totals.totalCents },
          ]}
          onKeepMine={() => {
            // The next save starts from their version number and puts this one over it, knowingly.
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
      {update.error && !theirs && asApiError(update.error).responseCode === 404 ? <p role="alert">{t('quotes:gone')}</p> : null}
    </>
  )
}

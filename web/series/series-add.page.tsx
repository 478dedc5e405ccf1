import { useSearch } from '@tanstack/react-router'
import { businessesApi } from '../../contract/businesses.ts'
import { pathTo } from '../../contract/nouns.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { seriesApi } from '../../contract/series.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import type { Defaults } from '../lines/document-values.ts'
import { emptySeries, SeriesForm, seriesOfQuote, type SeriesValues } from './series-form.tsx'

/** A new series; `quote` in the address is one that it repeats. */
export function Page() {
  const t = useT('series')
  const { customerGuid, quote } = useSearch({ strict: false }) as { customerGuid?: string; quote?: string }
  const business = useRead(businessesApi.current, {})
  return (
    <>
      <PageHeader title={t('series:add.title')} crumbs={[{ to: pathTo('Series'), label: t('series:list.title') }]} />
      <Loaded of={business}>
        {({ business: defaults }) =>
          quote ? (
            <OfQuote guid={quote} business={defaults} />
          ) : (
            <Add business={defaults} values={emptySeries(defaults, customerGuid ?? null)} />
          )
        }
      </Loaded>
    </>
  )
}

function OfQuote({ guid, business }: { guid: string; business: Defaults }) {
  const read = useRead(quotesApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <Loaded of={read}>
      {({ quote }) => (
        <Add
          business={business}
          values={seriesOfQuote(quote, business)}
          customerName={quote.customer.displayName}
          jobType={quote.jobType}
          isCopy
        />
      )}
    </Loaded>
  )
}

interface AddProps {
  business: Defaults
  values: SeriesValues
  customerName?: string
  jobType?: { guid: string; label: string } | null
  isCopy?: boolean
}

function Add({ business, values, customerName, jobType = null, isCopy = false }: AddProps) {
  const t = useT('series')
  const go = useGo()
  const create = useWrite(seriesApi.create)
  return (
    <SeriesForm
      isNew={!isCopy}
      isCopy={isCopy}
      defaults={values}
      business={business}
      customerName={customerName}
      jobType={jobType}
      saveLabel={t('series:saveDraft')}
      save={async (input) => {
        const { series } = await create.mutateAsync(input)
        toast.success(t('series:saved', { name: series.title }))
        await go(pathTo('Series', series.guid))
      }}
    />
  )
}

import { useSearch } from '@tanstack/react-router'
import { businessesApi } from '../../contract/businesses.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { FromTemplate } from './begin-quote.tsx'
import { emptyQuote, QuoteForm } from './quote-form.tsx'
import { quoteName } from './quote-name.ts'

export function Page() {
  const t = useT('quotes')
  const go = useGo()
  const { customerGuid } = useSearch({ strict: false }) as { customerGuid?: string }
  const business = useRead(businessesApi.current, {})
  const create = useWrite(quotesApi.create)
  return (
    <>
      <PageHeader
        title={t('quotes:add.title')}
        crumbs={[{ to: pathTo('Quotes'), label: t('quotes:list.title') }]}
        actions={<FromTemplate customerGuid={customerGuid} />}
      />
      <Loaded of={business}>
        {({ business: defaults }) => (
          <QuoteForm
            isNew
            defaults={emptyQuote(defaults, customerGuid ?? null)}
            business={defaults}
            saveLabel={t('quotes:saveDraft')}
            save={async (input) => {
              const { quote } = await create.mutateAsync(input)
              toast.success(t('quotes:saved', { name: quoteName(quote, quote.title) }))
              await go(pathTo('Quotes', quote.guid))
            }}
          />
        )}
      </Loaded>
    </>
  )
}

import { leadsFrom } from '../../contract/core/transitions.ts'
import { useSearch } from '@tanstack/react-router'
import { quotesApi, quoteTransitions, type Quote } from '../../contract/quotes.ts'
import { pathTo } from '../../contract/nouns.ts'
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
import { OwnTerms } from '../lines/own-terms.tsx'
import { useSaving } from '../record/saving.tsx'
import { TagList } from '../record/tag-list.tsx'
import { QuoteForm, quoteFields, valuesOfQuote } from './quote-form.tsx'
import { quoteName } from './quote-name.ts'

export function Page() {
  const t = useT('quotes')
  const guid = useGuid()
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(quotesApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <Loaded of={read}>
      {({ quote }) =>
        leadsFrom(quoteTransitions, 'update', quote.status) ? (
          <OwnTerms noun="Quotes" of={quote}>
            {(business) => <Editor key={quote.guid} first={quote} business={business} />}
          </OwnTerms>
        ) : (
          <EmptyState
            scene="lock"
            title={t('quotes:notDraft.title')}
            text={t('quotes:notDraft.text')}
            action={
              <AppLink to={pathTo('Quotes', guid)} className="button-link">
                {t('quotes:notDraft.back')}
              </AppLink>
            }
          />
        )
      }
    </Loaded>
  )
}

function Editor({ first, business }: { first: Quote; business: Defaults }) {
  const t = useT('quotes')
  const go = useGo()
  const { isCopy } = useSearch({ strict: false }) as { isCopy?: string }
  const update = useWrite(quotesApi.update)
  const { base, round, save, dialog } = useSaving({
    first,
    noun: 'quote',
    fields: quoteFields,
    together: documentGroups,
    send: async (version, changes) => (await update.mutateAsync({ guid: first.guid, version, ...changes })).quote,
  })
  const name = quoteName(base, t('quotes:draftNumber'))
  return (
    <>
      <PageHeader
        title={base.number ? t('quotes:edit.of', { name }) : t('quotes:edit.title')}
        below={<TagList guid={base.guid} tags={base.tags} ops={quotesApi} />}
        crumbs={[
          { to: pathTo('Quotes'), label: t('quotes:list.title') },
          { to: pathTo('Quotes', base.guid), label: name },
        ]}
      />
      <QuoteForm
        key={round}
        isCopy={isCopy === 'yes'}
        defaults={valuesOfQuote(base)}
        business={business}
        customerName={base.customer.displayName}
        jobType={base.jobType}
        saveLabel={t('quotes:save')}
        save={async (_input, changes) => {
          const saved = await save(changes)
          toast.success(t('quotes:saved', { name: quoteName(saved, saved.title) }))
          await go(pathTo('Quotes', saved.guid))
        }}
      />
      {dialog}
    </>
  )
}

import { pathTo } from '../../contract/nouns.ts'
import { type QuoteTemplate, quoteTemplatesApi } from '../../contract/quote-templates.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { documentGroups } from '../lines/document-fields.tsx'
import type { Defaults } from '../lines/document-values.ts'
import { OwnTerms } from '../lines/own-terms.tsx'
import { useSaving } from '../record/saving.tsx'
import { templateFields, TemplateForm } from './template-form.tsx'

export function Page() {
  const t = useT('templates')
  const guid = useGuid()
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(quoteTemplatesApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <Loaded of={read}>
      {({ quoteTemplate }) =>
        quoteTemplate.archivedAt === null ? (
          <OwnTerms noun="QuoteTemplates" of={quoteTemplate}>
            {(business) => <Editor key={guid} first={quoteTemplate} business={business} />}
          </OwnTerms>
        ) : (
          <EmptyState
            scene="lock"
            title={t('templates:isArchived.title')}
            text={t('templates:isArchived.text')}
            action={
              <AppLink to={pathTo('QuoteTemplates', guid)} className="button-link">
                {t('templates:isArchived.back')}
              </AppLink>
            }
          />
        )
      }
    </Loaded>
  )
}

function Editor({ first, business }: { first: QuoteTemplate; business: Defaults }) {
  const t = useT('templates')
  const go = useGo()
  const update = useWrite(quoteTemplatesApi.update)
  const { base, round, save, dialog } = useSaving({
    first,
    noun: 'quoteTemplate',
    fields: templateFields,
    together: [documentGroups[0]],
    send: async (version, changes) =>
      (await update.mutateAsync({ guid: first.guid, version, ...changes })).quoteTemplate,
  })
  return (
    <>
      <PageHeader
        title={t('templates:editOf', { name: base.name })}
        crumbs={[
          { to: pathTo('QuoteTemplates'), label: t('templates:list.title') },
          { to: pathTo('QuoteTemplates', base.guid), label: base.name },
        ]}
      />
      <TemplateForm
        key={round}
        template={base}
        business={business}
        save={async (_input, changes) => {
          const saved = await save(changes)
          toast.success(t('templates:saved', { name: saved.name }))
          await go(pathTo('QuoteTemplates', saved.guid))
        }}
      />
      {dialog}
    </>
  )
}

import { isSeriesLive, type Series, seriesApi } from '../../contract/series.ts'
import { pathTo } from '../../contract/nouns.ts'
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
import { scheduleGroup, seriesFields, SeriesForm, valuesOfSeries } from './series-form.tsx'

export function Page() {
  const t = useT('series')
  const guid = useGuid()
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(seriesApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <Loaded of={read}>
      {({ series }) =>
        isSeriesLive(series.status) ? (
          <OwnTerms noun="Series" of={series}>
            {(business) => <Editor key={series.guid} first={series} business={business} />}
          </OwnTerms>
        ) : (
          <EmptyState
            scene="lock"
            title={t('series:ended.title')}
            text={t('series:ended.text')}
            action={
              <AppLink to={pathTo('Series', guid)} className="button-link">
                {t('series:ended.back')}
              </AppLink>
            }
          />
        )
      }
    </Loaded>
  )
}

function Editor({ first, business }: { first: Series; business: Defaults }) {
  const t = useT('series')
  const go = useGo()
  const update = useWrite(seriesApi.update)
  const { base, round, save, dialog } = useSaving({
    first,
    noun: 'series',
    fields: seriesFields,
    together: [...documentGroups, scheduleGroup],
    send: async (version, changes) => (await update.mutateAsync({ guid: first.guid, version, ...changes })).series,
  })
  return (
    <>
      <PageHeader
        title={t('series:edit.of', { name: base.title })}
        crumbs={[
          { to: pathTo('Series'), label: t('series:list.title') },
          { to: pathTo('Series', base.guid), label: base.title },
        ]}
      />
      <SeriesForm
        key={round}
        defaults={valuesOfSeries(base)}
        business={business}
        customerName={base.customer.displayName}
        jobType={base.jobType}
        saveLabel={t('series:save')}
        save={async (_input, changes) => {
          const saved = await save(changes)
          toast.success(t('series:saved', { name: saved.title }))
          await go(pathTo('Series', saved.guid))
        }}
      />
      {dialog}
    </>
  )
}

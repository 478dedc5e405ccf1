import { businessesApi, type Business } from '../../contract/businesses.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { useRecordActions } from '../record/record-actions.tsx'
import { useSaving } from '../record/saving.tsx'
import { businessFields } from './business-fields.ts'
import { BusinessForm } from './business-form.tsx'
import { GstBasis } from './gst-basis.tsx'
import { valuesOfBusiness, type SentBusiness } from './business-values.ts'

export function Page() {
  const guid = useGuid()
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(businessesApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <Loaded of={read}>
      {({ business }) => (
        <Settings
          key={business.guid}
          first={business}
          reread={async () => (await read.refetch()).data?.business ?? business}
        />
      )}
    </Loaded>
  )
}

function Settings({ first, reread }: { first: Business; reread: () => Promise<Business> }) {
  const t = useT('setup', 'lines', 'record')
  const mayUpdate = useCan(businessesApi.update)
  const update = useWrite(businessesApi.update)
  const { base, round, restart, save, dialog } = useSaving<SentBusiness, Business>({
    first,
    noun: 'business',
    fields: businessFields,
    send: async (version, changes) => (await update.mutateAsync({ guid: first.guid, version, ...changes })).business,
  })
  const name = base.tradingName ?? base.legalName
  const { head, dialogs } = useRecordActions<'archive' | 'restore'>({
    record: base,
    onAnswer: (answer) => restart((answer as { business: Business }).business),
    actions: [
      {
        key: 'archive',
        op: businessesApi.remove,
        label: t('setup:businesses.archive'),
        icon: 'archive',
        isHidden: base.archivedAt !== null,
        isDangerous: true,
        confirm: {
          title: t('setup:businesses.archiveTitle', { name }),
          text: t('setup:businesses.archiveText'),
        },
        said: t('setup:businesses.archived', { name }),
      },
      {
        key: 'restore',
        op: businessesApi.restore,
        label: t('setup:businesses.restore'),
        icon: 'undo',
        place: 'main',
        isHidden: base.archivedAt === null,
        said: t('setup:businesses.restored', { name }),
      },
    ],
  })
  return (
    <>
      <PageHeader
        title={name}
        subtitle={
          base.parentName ? t('setup:businesses.brandOf', { name: base.parentName }) : t('setup:businesses.oneSubtitle')
        }
        crumbs={[{ to: pathTo('Businesses'), label: t('setup:businesses.title') }]}
        actions={head}
      />
      {dialogs}
      <BusinessForm
        key={round}
        business={base}
        defaults={valuesOfBusiness(base)}
        isReadOnly={!mayUpdate}
        save={async (_input, changes) => {
          const business = await save(changes)
          toast.success(t('setup:businesses.saved', { name: business.tradingName ?? business.legalName }))
          restart(business)
        }}
      />
      <GstBasis business={base} onChange={async () => restart(await reread())} />
      {dialog}
    </>
  )
}

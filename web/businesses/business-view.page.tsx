import { useState } from 'react'
import { businessesApi, type Business } from '../../contract/businesses.ts'
import { formatAbn } from '../../contract/core/abn.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { StaleChoice } from '../record/stale-choice.tsx'
import { BusinessForm } from './business-form.tsx'
import { valuesOfBusiness, type SentBusiness } from './business-values.ts'

export function Page() {
  const guid = useGuid()
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(businessesApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return <Loaded of={read}>{({ business }) => <Settings key={business.guid} first={business} />}</Loaded>
}

function Settings({ first }: { first: Business }) {
  const t = useT('setup', 'lines', 'record')
  const mayUpdate = useCan(businessesApi.update)
  const [base, setBase] = useState(first)
  const [mine, setMine] = useState<SentBusiness | null>(null)
  const update = useWrite(businessesApi.update)
  const name = base.tradingName ?? base.legalName
  return (
    <>
      <PageHeader
        title={name}
        subtitle={t('setup:businesses.oneSubtitle')}
        crumbs={[{ to: '/setup/businesses/list', label: t('setup:businesses.title') }]}
      />
      <BusinessForm
        key={base.version}
        business={base}
        defaults={valuesOfBusiness(base)}
        isReadOnly={!mayUpdate}
        save={async (input) => {
          setMine(input)
          const { business } = await update.mutateAsync({ guid: base.guid, version: base.version, ...input })
          toast.success(t('setup:businesses.saved', { name: business.tradingName ?? business.legalName }))
          setBase(business)
        }}
      />
      <StaleChoice<Business>
        error={update.error}
        noun="business"
        mine={mine as Partial<Business> | null}
        fields={[
          { label: t('setup:business.legalName'), show: (b) => b.legalName },
          { label: t('setup:business.tradingName'), show: (b) => b.tradingName ?? '' },
          { label: t('setup:businesses.abn'), show: (b) => formatAbn(b.abn ?? '') },
          { label: t('setup:businesses.email'), show: (b) => b.email ?? '' },
          { label: t('setup:business.phone'), show: (b) => b.phone ?? '' },
          {
            label: t('setup:business.bank'),
            show: (b) => (b.bankAccount ? `${b.bankAccount.bsb} ${b.bankAccount.accountNumber}` : ''),
          },
          {
            label: t('setup:business.priceMode'),
            show: (b) => phraseOr(`lines:priceModes.${b.defaultPriceMode ?? ''}`, ''),
          },
          {
            label: t('setup:business.rounding'),
            show: (b) => phraseOr(`setup:business.roundings.${b.roundingRule ?? ''}`, ''),
          },
          { label: t('setup:business.quoteTerms'), show: (b) => b.quoteTerms ?? '' },
          { label: t('setup:business.invoiceNotes'), show: (b) => b.invoiceNotes ?? '' },
          { label: t('setup:business.colour'), show: (b) => b.primaryColour },
        ]}
        onKeepMine={(theirs) => {
          // The form stays as it is; its next save starts from their version number and puts this one over it, knowingly.
          if (mine)
            void update
              .mutateAsync({ guid: base.guid, ...mine, version: theirs.version })
              .then(({ business }) => setBase(business))
        }}
        onTakeTheirs={(theirs) => {
          setBase(theirs)
          update.reset()
        }}
        onClose={() => update.reset()}
      />
    </>
  )
}

import type { Control } from 'react-hook-form'
import { businessesApi, type Business } from '../../contract/businesses.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { SelectField } from '../core/ui/fields.tsx'
import type { BusinessValues, SentBusiness } from './business-values.ts'

const most = 100
const pools = ['customersOf', 'catalogueOf'] as const

/** Whose customers and whose catalogue a business works with: its own, or those of one that has its own. */
export function PoolFields({
  control,
  business,
}: {
  control: Control<BusinessValues, unknown, SentBusiness>
  business: Business
}) {
  const t = useT('setup')
  const mayList = useCan(businessesApi.list)
  const { data } = useRead(businessesApi.list, { size: most, sort: 'legalName' }, { enabled: mayList })
  const others = (data?.items ?? []).filter((one) => one.guid !== business.guid)
  if (others.length === 0) return null
  const optionsOf = (pool: (typeof pools)[number]) => {
    const known = others
      .filter((one) => one[pool] === one.guid)
      .map((one) => ({ value: one.guid, label: one.tradingName ?? one.legalName }))
    return [{ value: business.guid, label: t('setup:businesses.itsOwn') }, ...known]
  }
  return (
    <Card title={t('setup:businesses.shared')}>
      <div className="stack">
        <p className="muted no-margin">{t('setup:businesses.sharedHint')}</p>
        <div className="grid-2 form-grid">
          {pools.map((pool) => (
            <SelectField
              key={pool}
              control={control}
              name={pool}
              label={t(`setup:businesses.${pool}`)}
              options={optionsOf(pool)}
              isRequired
            />
          ))}
        </div>
      </div>
    </Card>
  )
}

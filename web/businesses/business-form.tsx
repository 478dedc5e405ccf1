import { Controller } from 'react-hook-form'
import { roundingRules } from '../../contract/core/money.ts'
import type { Business } from '../../contract/businesses.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { TextField } from '../core/ui/fields.tsx'
import { SearchChoice } from '../core/ui/search-choice.tsx'
import { DepositField } from '../lines/deposit-field.tsx'
import { RecordField } from '../record/record-fields.tsx'
import { RecordForm, type SaveRecord } from '../record/record-form.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { businessFields } from './business-fields.ts'
import { businessSchema, type BusinessValues, type SentBusiness } from './business-values.ts'
import { ColourField } from './colour-field.tsx'
import { LogoField } from './logo-field.tsx'
import { NumberingFields } from './numbering-fields.tsx'
import { PoolFields } from './pool-fields.tsx'
import { RoundingField } from './rounding-field.tsx'
import './businesses.css'

const zones = [
  'Australia/Sydney',
  'Australia/Melbourne',
  'Australia/Brisbane',
  'Australia/Adelaide',
  'Australia/Darwin',
  'Australia/Perth',
  'Australia/Hobart',
  'Australia/Lord_Howe',
  'Australia/Eucla',
  'Australia/Broken_Hill',
] as const
const zoneOptions = (own: string) =>
  [...new Set([...zones, own])].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))

export interface BusinessFormProps {
  business: Business
  defaults: BusinessValues
  save: SaveRecord<SentBusiness>
  isReadOnly: boolean
}

/** Everything documents take from the business, by the questions it answers. */
export function BusinessForm({ business, defaults, save, isReadOnly }: BusinessFormProps) {
  const t = useT('setup', 'lines', 'record')
  const form = useSchemaForm<BusinessValues, SentBusiness>(
    businessSchema.partial({ logo: true }) as unknown as typeof businessSchema,
    defaults,
  )
  const { control } = form
  const isBrand = business.parentGuid !== null
  return (
    <RecordForm
      form={form}
      save={save}
      saveLabel={t('setup:businesses.save')}
      isReadOnly={isReadOnly}
      rail={isReadOnly ? <p className="muted no-margin">{t('setup:businesses.readOnly')}</p> : null}
    >
      <Card title={t('setup:business.identity')}>
        <div className="stack">
          <div className="grid-2 form-grid">
            {isBrand ? null : <RecordField of={businessFields} control={control} name="legalName" />}
            <RecordField of={businessFields} control={control} name="tradingName" />
            {isBrand ? null : <RecordField of={businessFields} control={control} name="abn" />}
            <Controller
              control={control}
              name="timeZone"
              render={({ field, fieldState: { error } }) => (
                <SearchChoice
                  {...field}
                  label={t('setup:business.timeZone')}
                  data={zoneOptions(defaults.timeZone)}
                  allowDeselect={false}
                  error={error?.message}
                />
              )}
            />
            <RecordField of={businessFields} control={control} name="holidayState" />
            {isBrand ? null : <RecordField of={businessFields} control={control} name="beganOn" />}
          </div>
          {isBrand ? (
            <p className="muted no-margin">{t('setup:businesses.ofEntity', { name: business.legalName })}</p>
          ) : (
            <RecordField of={businessFields} control={control} name="gstRegistered" />
          )}
        </div>
      </Card>
      <PoolFields control={control} business={business} />
      <Card title={t('setup:business.contact')}>
        <div className="stack">
          <div className="grid-3 form-grid">
            <RecordField of={businessFields} control={control} name="email" />
            <RecordField of={businessFields} control={control} name="phone" />
            <TextField
              control={control}
              name="website"
              type="url"
              label={t('setup:business.website')}
              placeholder={t('setup:business.websiteExample')}
              maxLength={200}
            />
          </div>
          <RecordField of={businessFields} control={control} name="address" />
        </div>
      </Card>
      {isBrand ? null : (
        <Card title={t('setup:business.bank')}>
          <div className="stack">
            <p className="muted no-margin">{t('setup:business.bankHint')}</p>
            <div className="grid-2 form-grid">
              <TextField
                control={control}
                name="bankAccount.accountName"
                label={t('setup:business.accountName')}
                maxLength={80}
              />
              <TextField control={control} name="bankAccount.payId" label={t('setup:business.payId')} maxLength={120} />
              <TextField
                control={control}
                name="bankAccount.bsb"
                label={t('setup:business.bsb')}
                inputMode="numeric"
                placeholder="000-000"
                maxLength={7}
              />
              <TextField
                control={control}
                name="bankAccount.accountNumber"
                label={t('setup:business.accountNumber')}
                inputMode="numeric"
                maxLength={9}
              />
            </div>
          </div>
        </Card>
      )}
      {isBrand ? null : (
        <Card title={t('setup:business.books')}>
          <div className="grid-3 form-grid">
            <RecordField of={businessFields} control={control} name="basCycle" />
            <RecordField of={businessFields} control={control} name="refundLimitCents" />
            <RecordField of={businessFields} control={control} name="writeOffLimitCents" />
          </div>
        </Card>
      )}
      <Card title={t('setup:business.defaults')}>
        <div className="stack">
          <p className="muted no-margin">{t('setup:business.defaultsHint')}</p>
          <div className="grid-2 form-grid">
            <RecordField of={businessFields} control={control} name="defaultTermsDays" />
            <RecordField of={businessFields} control={control} name="defaultValidityDays" />
            <RecordField of={businessFields} control={control} name="defaultPriceMode" />
            <DepositField control={control} name="defaultDepositRule" />
          </div>
          <RoundingField control={control} rules={roundingRules} />
        </div>
      </Card>
      <Card title={t('setup:business.texts')}>
        <div className="stack">
          <RecordField of={businessFields} control={control} name="quoteTerms" />
          <RecordField of={businessFields} control={control} name="invoiceNotes" />
        </div>
      </Card>
      <Card title={t('setup:business.photos')}>
        <RecordField of={businessFields} control={control} name="photoLocation" />
      </Card>
      <Card title={t('setup:business.look')}>
        <div className="grid-2">
          <ColourField control={control} />
          <LogoField control={control} hasLogo={business.hasLogo} />
        </div>
      </Card>
      <Card title={t('setup:business.numbering')}>
        <NumberingFields control={control} numbering={defaults.numbering} />
      </Card>
    </RecordForm>
  )
}

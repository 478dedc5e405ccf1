import { Controller } from 'react-hook-form'
import { roundingRules } from '../../contract/core/money.ts'
import { priceModes } from '../../contract/lines.ts'
import type { Business } from '../../contract/businesses.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateField, NumberField, SelectField, SwitchField, TextAreaField, TextField } from '../core/ui/fields.tsx'
import { SearchChoice } from '../core/ui/search-choice.tsx'
import { DepositField } from '../lines/deposit-field.tsx'
import { AbnField } from '../record/abn-field.tsx'
import { AddressFields } from '../record/address-fields.tsx'
import { RecordForm } from '../record/record-form.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { businessSchema, type BusinessValues, type SentBusiness } from './business-values.ts'
import { ColourField } from './colour-field.tsx'
import { LogoField } from './logo-field.tsx'
import { NumberingFields } from './numbering-fields.tsx'
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
  save: (input: SentBusiness) => Promise<unknown>
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
            <TextField
              control={control}
              name="legalName"
              label={t('setup:business.legalName')}
              description={t('setup:business.legalNameHint')}
              isRequired
              maxLength={160}
            />
            <TextField
              control={control}
              name="tradingName"
              label={t('setup:business.tradingName')}
              description={t('setup:business.tradingNameHint')}
              maxLength={160}
            />
            <AbnField control={control} name="abn" label={t('setup:businesses.abn')} />
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
            <DateField
              control={control}
              name="beganOn"
              label={t('setup:business.beganOn')}
              description={t('setup:business.beganOnHint')}
              isRequired
            />
          </div>
          <SwitchField
            control={control}
            name="gstRegistered"
            label={t('setup:business.gstRegistered')}
            description={t('setup:business.gstHint')}
          />
        </div>
      </Card>
      <Card title={t('setup:business.contact')}>
        <div className="stack">
          <div className="grid-3 form-grid">
            <TextField
              control={control}
              name="email"
              type="email"
              inputMode="email"
              label={t('setup:businesses.email')}
              maxLength={254}
            />
            <TextField
              control={control}
              name="phone"
              type="tel"
              inputMode="tel"
              label={t('setup:business.phone')}
              maxLength={40}
            />
            <TextField
              control={control}
              name="website"
              type="url"
              label={t('setup:business.website')}
              placeholder={t('setup:business.websiteExample')}
              maxLength={200}
            />
          </div>
          <AddressFields control={control} name="address" />
        </div>
      </Card>
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
      <Card title={t('setup:business.defaults')}>
        <div className="stack">
          <p className="muted no-margin">{t('setup:business.defaultsHint')}</p>
          <div className="grid-2 form-grid">
            <NumberField
              control={control}
              name="defaultTermsDays"
              label={t('setup:business.termsDays')}
              maxDigits={3}
              isRequired
            />
            <NumberField
              control={control}
              name="defaultValidityDays"
              label={t('setup:business.validityDays')}
              maxDigits={3}
              isRequired
            />
            <SelectField
              control={control}
              name="defaultPriceMode"
              label={t('setup:business.priceMode')}
              options={priceModes.map((mode) => ({ value: mode, label: phraseOr(`lines:priceModes.${mode}`, mode) }))}
            />
            <DepositField control={control} name="defaultDepositRule" />
          </div>
          <RoundingField control={control} rules={roundingRules} />
        </div>
      </Card>
      <Card title={t('setup:business.texts')}>
        <div className="stack">
          <TextAreaField
            control={control}
            name="quoteTerms"
            label={t('setup:business.quoteTerms')}
            description={t('setup:business.quoteTermsHint')}
            rows={5}
            maxLength={8000}
          />
          <TextAreaField
            control={control}
            name="invoiceNotes"
            label={t('setup:business.invoiceNotes')}
            description={t('setup:business.invoiceNotesHint')}
            rows={3}
            maxLength={4000}
          />
        </div>
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

import { z } from 'zod'
import { businessesApi, businessFields } from '../../contract/businesses.ts'
import { guid } from '../../contract/core/common.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { SelectField, TextField } from '../core/ui/fields.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { useSchemaForm } from '../record/schema-form.ts'

export type NewKind = 'entity' | 'brand'

const { legalName, abn } = businessFields
const newEntity = z.strictObject({ legalName, abn })
const newBrand = z.strictObject({ parentGuid: guid, tradingName: legalName, customersOf: guid, catalogueOf: guid })
const most = 100

/** A legal entity, or a brand of one; everything else is asked on its page. */
export function NewBusinessDialog({ kind, onClose }: { kind: NewKind; onClose: () => void }) {
  return kind === 'entity' ? <NewEntity onClose={onClose} /> : <NewBrand onClose={onClose} />
}

function useCreate(onClose: () => void) {
  const t = useT('setup')
  const go = useGo()
  const create = useWrite(businessesApi.create)
  return async (input: Parameters<typeof create.mutateAsync>[0]) => {
    const { business } = await create.mutateAsync(input)
    toast.success(t('setup:businesses.made', { name: business.tradingName ?? business.legalName }))
    onClose()
    await go(pathTo('Businesses', business.guid))
  }
}

function NewEntity({ onClose }: { onClose: () => void }) {
  const t = useT('setup', 'record')
  const create = useCreate(onClose)
  const form = useSchemaForm<{ legalName: string; abn: string }, z.output<typeof newEntity>>(newEntity, {
    legalName: '',
    abn: '',
  })
  return (
    <FormDialog
      form={form}
      title={t('setup:businesses.addEntity')}
      action={t('setup:businesses.create')}
      onSave={(input) => create(input)}
      onClose={onClose}
    >
      <p className="muted no-margin">{t('setup:businesses.entityHint')}</p>
      <TextField control={form.control} name="legalName" label={t('setup:business.legalName')} isRequired autoFocus />
      <TextField control={form.control} name="abn" label={t('setup:businesses.abn')} inputMode="numeric" />
    </FormDialog>
  )
}

interface BrandValues {
  parentGuid: string | null
  tradingName: string
  customersOf: string | null
  catalogueOf: string | null
}

function NewBrand({ onClose }: { onClose: () => void }) {
  const t = useT('setup', 'record')
  const { data } = useRead(businessesApi.list, { size: most, sort: 'legalName' })
  const businesses = data?.items ?? []
  const entity = businesses.find((one) => one.parentGuid === null)
  return entity ? (
    <BrandForm key={entity.guid} first={entity.guid} businesses={businesses} onClose={onClose} />
  ) : (
    <p className="sr-only">{t('setup:businesses.title')}</p>
  )
}

type Listed = z.output<typeof businessesApi.list.response>['items']

function BrandForm({ first, businesses, onClose }: { first: string; businesses: Listed; onClose: () => void }) {
  const t = useT('setup', 'record')
  const create = useCreate(onClose)
  const form = useSchemaForm<BrandValues, z.output<typeof newBrand>>(newBrand, {
    parentGuid: first,
    tradingName: '',
    customersOf: first,
    catalogueOf: first,
  })
  const { control } = form
  const named = (some: Listed) => some.map((one) => ({ value: one.guid, label: one.tradingName ?? one.legalName }))
  return (
    <FormDialog
      form={form}
      title={t('setup:businesses.addBrand')}
      action={t('setup:businesses.create')}
      onSave={(input) => create(input)}
      onClose={onClose}
    >
      <p className="muted no-margin">{t('setup:businesses.brandHint')}</p>
      <div className="grid-2 form-grid">
        <TextField control={control} name="tradingName" label={t('setup:businesses.brandName')} isRequired autoFocus />
        <SelectField
          control={control}
          name="parentGuid"
          label={t('setup:businesses.brandOfField')}
          options={businesses
            .filter((one) => one.parentGuid === null)
            .map((one) => ({ value: one.guid, label: one.legalName }))}
          isRequired
        />
        <SelectField
          control={control}
          name="customersOf"
          label={t('setup:businesses.customersOf')}
          options={named(businesses.filter((one) => one.customersOf === one.guid))}
          isRequired
        />
        <SelectField
          control={control}
          name="catalogueOf"
          label={t('setup:businesses.catalogueOf')}
          options={named(businesses.filter((one) => one.catalogueOf === one.guid))}
          isRequired
        />
      </div>
    </FormDialog>
  )
}

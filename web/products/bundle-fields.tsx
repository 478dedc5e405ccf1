import { Button, SegmentedControl, Switch } from '@mantine/core'
import { useState } from 'react'
import { useController, useFormState } from 'react-hook-form'
import { maxParts, productsApi, type Product } from '../../contract/products.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { PercentInput, QuantityInput } from '../core/ui/inputs.tsx'
import { LookupInput, type LookupOption } from '../core/ui/lookup.tsx'
import type { ProductFormState } from './price-fields.tsx'

type Bundle = NonNullable<Product['bundle']>
export const emptyBundle: Bundle = { mode: 'fixed', bp: null, showParts: true, items: [] }

/** What a bundle is made of, and how it is priced. */
export function BundleFields({ form, parts }: { form: ProductFormState; parts: Product['parts'] }) {
  const t = useT('products')
  const f = useFormat()
  const { field } = useController({ control: form.control, name: 'bundle' })
  const { errors } = useFormState({ control: form.control, name: 'bundle' })
  const [known, setKnown] = useState<ReadonlyMap<string, LookupOption>>(
    () => new Map(parts.map(({ guid, name }) => [guid, { value: guid, label: name }])),
  )
  const bundle = field.value as Bundle | null
  if (!bundle) return null
  const set = (change: Partial<Bundle>) => field.onChange({ ...bundle, ...change })
  const problems = errors.bundle as
    | { message?: string; bp?: { message?: string }; items?: { message?: string; root?: { message?: string } } }
    | undefined
  const itemProblem = (index: number): string | undefined =>
    (problems?.items as unknown as Record<number, { productGuid?: { message?: string } }> | undefined)?.[index]
      ?.productGuid?.message
  const change = (index: number, of: Partial<Bundle['items'][number]>) =>
    set({ items: bundle.items.map((item, i) => (i === index ? { ...item, ...of } : item)) })
  const general = problems?.message ?? problems?.items?.message ?? problems?.items?.root?.message
  return (
    <Card title={t('products:bundle.title')}>
      <div className="stack">
        <div>
          <SegmentedControl
            aria-label={t('products:bundle.mode')}
            value={bundle.mode}
            onChange={(mode) => set({ mode: mode as Bundle['mode'], bp: mode === 'percent' ? bundle.bp : null })}
            data={(['fixed', 'sum', 'percent'] as const).map((mode) => ({
              value: mode,
              label: t(`products:bundle.modes.${mode}`),
            }))}
          />
        </div>
        <p className="muted small no-margin">{t(`products:bundle.hints.${bundle.mode}`)}</p>
        {bundle.mode === 'percent' ? (
          <PercentInput
            className="bundle-percent"
            label={t('products:bundle.bp')}
            value={bundle.bp ?? null}
            error={problems?.bp?.message}
            onChange={(bp) => set({ bp })}
          />
        ) : null}
        {bundle.items.map((item, index) => (
          <div
            // oxlint-disable-next-line react/no-array-index-key -- the same product may be in it twice
            key={index}
            className="part-row"
            role="group"
            aria-label={t('products:bundle.part', { position: f.number(index + 1) })}
          >
            <QuantityInput
              label={t('products:bundle.quantity')}
              value={item.quantity}
              onChange={(quantity) => change(index, { quantity })}
            />
            <LookupInput
              op={productsApi.list}
              input={{ size: 25, sort: 'name', status: 'active', kind: 'service,goods,hire,labour,fee' }}
              label={t('products:bundle.product')}
              required
              value={item.productGuid || null}
              chosen={known.get(item.productGuid) ?? null}
              error={itemProblem(index)}
              option={(p) => ({ value: p.guid, label: p.name, hint: f.money(p.priceCents) })}
              onPick={(p) => setKnown(new Map(known).set(p.guid, { value: p.guid, label: p.name }))}
              onChange={(guid) => change(index, { productGuid: guid ?? '' })}
            />
            <IconTool
              icon="delete"
              label={t('products:bundle.remove', { position: f.number(index + 1) })}
              onClick={() => set({ items: bundle.items.filter((_, i) => i !== index) })}
            />
          </div>
        ))}
        {general ? (
          <p className="loss small no-margin" role="alert">
            {general}
          </p>
        ) : null}
        {bundle.items.length < maxParts ? (
          <div>
            <Button
              variant="light"
              leftSection={<Icon name="create" size={18} />}
              onClick={() => set({ items: [...bundle.items, { productGuid: '', quantity: '1' }] })}
            >
              {t('products:bundle.add')}
            </Button>
          </div>
        ) : null}
        <Switch
          label={t('products:bundle.showParts')}
          description={t('products:bundle.showPartsHint')}
          checked={bundle.showParts}
          onChange={(event) => set({ showParts: event.currentTarget.checked })}
        />
      </div>
    </Card>
  )
}

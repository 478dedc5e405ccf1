import { useState } from 'react'
import { pathTo } from '../../contract/nouns.ts'
import { priceListInput, priceListsApi, type PriceListInput } from '../../contract/price-lists.ts'
import { Can } from '../core/api/can-show.tsx'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { toast } from '../core/ui/toast.tsx'
import { archiveMany } from '../record/archiving.ts'
import { FormDialog } from '../record/form-dialog.tsx'
import { formValues, type FormValues } from '../record/form-values.ts'
import { PlainField } from '../record/plain-field.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { priceListFields } from './price-list-fields.ts'

const list = { op: priceListsApi.list, defaultSort: 'name' }

export function Page() {
  const t = useT('prices', 'record')
  const [isAdding, setAdding] = useState(false)
  const title = t('prices:list.title')
  const add = (
    <Can op={priceListsApi.create}>
      <ActionButton icon="create" onClick={() => setAdding(true)}>
        {t('prices:new')}
      </ActionButton>
    </Can>
  )
  return (
    <>
      <PageHeader title={title} subtitle={t('prices:list.subtitle')} actions={add} />
      <DataTable
        {...list}
        label={title}
        exportOp={priceListsApi.export}
        searchPlaceholder={t('prices:list.search')}
        rowLabel={(one) => one.name}
        rowLink={(one) => pathTo('PriceLists', one.guid)}
        columns={[
          { id: 'name', header: t('prices:name'), sort: true, card: 'title', grow: 2, cell: (one) => one.name },
          {
            id: 'isActive',
            header: t('prices:status'),
            cell: (one) => <StatusChip status={one.archivedAt ? 'archived' : one.isActive ? 'active' : 'inactive'} />,
          },
          { id: 'itemCount', header: t('prices:prices'), align: 'end', card: 'side', cell: (one) => one.itemCount },
          { id: 'customerCount', header: t('prices:customers'), align: 'end', cell: (one) => one.customerCount },
          {
            id: 'updatedAt',
            header: t('prices:updated'),
            sort: true,
            cell: (one) => <DateText value={one.updatedAt} />,
          },
        ]}
        filters={[
          {
            type: 'one',
            field: 'active',
            label: t('prices:status'),
            options: [
              { value: 'true', label: t('prices:active') },
              { value: 'false', label: t('prices:inactive') },
            ],
          },
          {
            type: 'one',
            field: 'archived',
            label: t('prices:archivedFilter'),
            options: [{ value: 'true', label: t('prices:archivedOnly') }],
          },
        ]}
        bulk={[
          {
            ...archiveMany(t, 'prices', priceListsApi.bulk),
            confirm: { title: (count) => t('prices:archiveMany', { count }), text: t('prices:archiveText') },
          },
        ]}
        empty={{ title: t('prices:empty.title'), text: t('prices:empty.text'), action: add }}
      />
      {isAdding ? <AddDialog onClose={() => setAdding(false)} /> : null}
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads

/** A name; the prices are entered on its page. */
function AddDialog({ onClose }: { onClose: () => void }) {
  const t = useT('prices')
  const go = useGo()
  const create = useWrite(priceListsApi.create)
  const form = useSchemaForm<FormValues<PriceListInput>, PriceListInput>(priceListInput, formValues(priceListInput))
  return (
    <FormDialog
      form={form}
      title={t('prices:new')}
      action={t('prices:create')}
      onClose={onClose}
      size="md"
      onSave={async (input) => {
        const { priceList } = await create.mutateAsync(input)
        toast.success(t('prices:made', { name: priceList.name }))
        await go(pathTo('PriceLists', priceList.guid))
      }}
    >
      <PlainField of={priceListFields} control={form.control} name="name" autoFocus />
    </FormDialog>
  )
}

import { useMemo, useState } from 'react'
import { useFormState } from 'react-hook-form'
import { z } from 'zod'
import { pathTo } from '../../contract/nouns.ts'
import { type PriceList, priceListInput, type PriceListInput, priceListsApi } from '../../contract/price-lists.ts'
import { asApiError } from '../core/api/error.ts'
import { applyServerErrors } from '../core/api/forms.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { commaOf } from '../core/ui/amounts.ts'
import { Card } from '../core/ui/card.tsx'
import { FormError } from '../core/ui/form-card.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { useGuid } from '../core/ui/params.ts'
import { useSaveKey } from '../core/ui/save-key.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { useUnsaved } from '../core/ui/unsaved.tsx'
import { archivingActions } from '../record/archiving.ts'
import { changesOf } from '../record/changes.ts'
import { RecordField } from '../record/record-fields.tsx'
import { RecordFrame } from '../record/record-frame.tsx'
import { useSaving } from '../record/saving.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { priceListFields } from './price-list-fields.ts'
import { type Column, columns, rowsOf } from './price-rows.ts'
import { PricesCard } from './prices-card.tsx'
import { makeMark, type Cell, type Mark } from './prices-grid.tsx'
import { makeRowsStore, type RowsStore, useRowsChanged } from './rows-store.ts'
import './price-lists.css'

export function Page() {
  const guid = useGuid()
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(priceListsApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return <Loaded of={read}>{({ priceList }) => <Editor key={priceList.guid} first={priceList} />}</Loaded>
}

function Editor({ first }: { first: PriceList }) {
  const t = useT('prices', 'record')
  const update = useWrite(priceListsApi.update)
  const [scroll] = useState(makeMark)
  const { base, round, save, restart, dialog } = useSaving({
    first,
    noun: 'priceList',
    fields: priceListFields,
    send: async (version, changes) => {
      const { priceList } = await update.mutateAsync({ guid: first.guid, version, ...changes })
      return priceList
    },
  })
  const used = first.customerCount
  const actions = archivingActions(t, 'prices', priceListsApi, { name: base.name, archivedAt: first.archivedAt })
  return (
    <RecordFrame
      noun="PriceLists"
      title={base.name}
      badge={<StatusChip status={first.archivedAt ? 'archived' : base.isActive ? 'active' : 'inactive'} />}
      listLabel={t('prices:list.title')}
      // Whoever archives a list that customers have is told first what they pay then.
      actions={actions.map((action) =>
        action.key === 'archive' && used > 0
          ? {
              ...action,
              confirm: {
                title: t('prices:archiveOne', { name: base.name }),
                text: t('prices:archiveUsed', { count: used }),
              },
            }
          : action,
      )}
      record={first}
    >
      <PriceListForm
        key={round}
        priceList={base}
        usedBy={first}
        scroll={scroll}
        save={async (changes) => {
          const saved = await save(changes)
          toast.success(t('prices:saved', { name: saved.name }))
          restart(saved)
        }}
      />
      {dialog}
    </RecordFrame>
  )
}

const headInput = z.strictObject(priceListInput.pick({ name: true, isActive: true }).shape)
type Head = z.output<typeof headInput>

interface FormProps {
  priceList: PriceList
  /** Which customers have it is news of others. */
  usedBy: Pick<PriceList, 'customers' | 'customerCount'>
  scroll: Mark
  save: (changes: Partial<PriceListInput>) => Promise<unknown>
}

/** Puts what the server says of a price on its row; says whether there was something of the kind. */
function refuseRows(store: RowsStore, failure: unknown): boolean {
  const { keys } = store.sent()
  const said = asApiError(failure).errors.flatMap(({ path, message }) => {
    const [, index, field = ''] = /^items\.(\d+)\.(productGuid|from|priceCents)/.exec(path ?? '') ?? []
    const key = keys[Number(index)]
    const column: Column = field === 'from' ? 'from' : field === 'priceCents' ? 'price' : 'product'
    return index !== undefined && key ? [{ key, refused: { column, message } }] : []
  })
  const byKey = new Map(said.map(({ key, refused }) => [key, refused]))
  if (byKey.size > 0)
    store.set(store.get().map((row) => (byKey.has(row.key) ? { ...row, refused: byKey.get(row.key) } : row)))
  return byKey.size > 0
}

function PriceListForm({ priceList, usedBy, scroll, save }: FormProps) {
  const t = useT('prices', 'record')
  const comma = commaOf[useLanguage()]
  const mayWrite = useCan(priceListsApi.update)
  const form = useSchemaForm<Head, Head>(headInput, { name: priceList.name, isActive: priceList.isActive })
  const { control } = form
  const store = useMemo(() => makeRowsStore(rowsOf(priceList, comma), comma), [priceList, comma])
  const areRowsChanged = useRowsChanged(store)
  const { isDirty, isSubmitting } = useFormState({ control })
  const [isTried, setTried] = useState(false)
  const [target, setTarget] = useState<{ cell: Cell } | null>(null)
  const isChanged = isDirty || areRowsChanged
  const unsaved = useUnsaved(isChanged && !isSubmitting)
  const saveKey = useSaveKey(!mayWrite)

  const showProblems = () => {
    setTried(true)
    const problems = store.problems()
    const row = store.get().find(({ key }) => problems.has(key))
    const column = row && problems.get(row.key)?.column
    form.setError('root.server', { type: 'fields', message: t('prices:fixRows', { count: problems.size }) })
    if (row) setTarget({ cell: { key: row.key, column: column ?? columns[0] } })
  }
  const submit = form.handleSubmit(
    async (head) => {
      if (store.problems().size > 0) return showProblems()
      const changes: Partial<PriceListInput> = changesOf(form.formState.defaultValues ?? {}, form.getValues(), head)
      try {
        await save({ ...changes, ...(store.isChanged() ? { items: store.sent().items } : {}) })
      } catch (failure) {
        if (asApiError(failure).error === 'STALE_VERSION') return
        if (refuseRows(store, failure)) showProblems()
        else applyServerErrors(failure, form.setError, (path) => path === 'name' || path === 'isActive')
      }
    },
    () => form.setError('root.server', { type: 'fields', message: t('record:lookAgain') }),
  )
  return (
    <form noValidate ref={saveKey} onSubmit={(event) => void submit(event)}>
      {unsaved}
      <div className="with-rail price-page">
        <div className="stack cards">
          <FormError control={control} />
          <PricesCard
            store={store}
            isReadOnly={!mayWrite}
            scroll={scroll}
            isTried={isTried}
            target={target}
            onTarget={setTarget}
          />
        </div>
        <div className="stack record-rail">
          <Card title={t('prices:one')}>
            <fieldset className="plain-fieldset stack" disabled={!mayWrite}>
              <RecordField of={priceListFields} control={control} name="name" />
              <RecordField of={priceListFields} control={control} name="isActive" />
              {mayWrite ? (
                <ActionButton type="submit" icon="save" loading={isSubmitting} fullWidth>
                  {t('prices:save')}
                </ActionButton>
              ) : null}
              {isChanged && mayWrite ? <p className="muted small no-margin">{t('record:unsaved')}</p> : null}
            </fieldset>
          </Card>
          <Card title={t('prices:customers')}>
            <Customers {...usedBy} />
          </Card>
        </div>
      </div>
    </form>
  )
}

function Customers({ customers, customerCount }: Pick<PriceList, 'customers' | 'customerCount'>) {
  const t = useT('prices')
  if (customerCount === 0) return <p className="muted no-margin">{t('prices:unused')}</p>
  const more = customerCount - customers.length
  return (
    <ul className="price-customers">
      {customers.map(({ guid, label }) => (
        <li key={guid}>
          <AppLink to={pathTo('Customers', guid)} className="link">
            {label}
          </AppLink>
        </li>
      ))}
      {more > 0 ? <li className="muted">{t('prices:moreCustomers', { count: more })}</li> : null}
    </ul>
  )
}

import { Alert, Button, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { businessesApi } from '../../contract/businesses.ts'
import type { ChangeAction, ChangeOrder } from '../../contract/change-orders.ts'
import { ordersApi, type Order } from '../../contract/orders.ts'
import { ofRecord } from '../core/api/business.ts'
import { asApiError } from '../core/api/error.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Dialog, DialogActions } from '../core/ui/dialog.tsx'
import { MoneyInput, QuantityInput } from '../core/ui/inputs.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { PricedFor, useCataloguePrices } from '../lines/catalogue-prices.ts'
import { ChangedLines } from '../lines/changed-lines.tsx'
import { sentLines, withProblems } from '../lines/line-state.ts'
import { LinesEditor } from '../lines/lines-editor.tsx'
import { makeLinesStore, useLines } from '../lines/lines-store.ts'
import { actionsOf, addedLines, entriesOf, problemsOf, type Entry } from './change-entries.ts'
import './change-dialog.css'

const restMs = 250

/** What is entered would come to, as the server prices it. */
function usePriced(order: Order, actions: readonly ChangeAction[]) {
  const given = JSON.stringify(actions)
  const [settled] = useDebouncedValue(given, restMs)
  const asked = JSON.parse(settled) as ChangeAction[]
  return useRead(
    ordersApi.previewChange,
    { guid: order.guid, actions: asked },
    { enabled: asked.length > 0, keep: true },
  )
}

interface ChangeDialogProps {
  order: Order
  /** The draft that is edited; a new one is made where there is none. */
  draft?: ChangeOrder | undefined
  onClose: () => void
}

/** Drafts a change: the lines of the order with other quantities and prices, without some, with new ones. */
export function ChangeDialog(props: ChangeDialogProps) {
  const t = useT('changes')
  const { order, draft, onClose } = props
  const [isBusy, setBusy] = useState(false)
  const read = useRead(businessesApi.current, ofRecord(order))
  return (
    <Dialog
      title={draft ? t('changes:deeds.editNamed', { number: draft.number }) : t('changes:add')}
      size="xl"
      isBusy={isBusy}
      onClose={onClose}
    >
      <Loaded of={read}>
        {({ business }) => <ChangeForm {...props} isRegistered={business.gstRegistered} onBusy={setBusy} />}
      </Loaded>
    </Dialog>
  )
}

interface ChangeFormProps extends ChangeDialogProps {
  isRegistered: boolean
  onBusy: (isBusy: boolean) => void
}

function ChangeForm({ order, draft, isRegistered, onBusy, onClose }: ChangeFormProps) {
  const t = useT('changes', 'common')
  const text = useErrorText()
  const [title, setTitle] = useState(draft?.title ?? '')
  const [note, setNote] = useState(draft?.note ?? '')
  const [isTried, setTried] = useState(false)
  const [entries, setEntries] = useState<readonly Entry[]>(() => entriesOf(order, draft))
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const [store] = useState(() => makeLinesStore(addedLines(draft)))
  const { guid, version, priceMode, roundingRule } = order
  const customerGuid = order.customer.guid
  useCataloguePrices(store, { priceMode, roundingRule, discount: null }, customerGuid)
  const actions = actionsOf(entries, order, sentLines(useLines(store)))
  const priced = usePriced(order, actions)
  const add = useWrite(ordersApi.addChange)
  const update = useWrite(ordersApi.updateChange)
  const isSaving = add.isPending || update.isPending
  const put = (lineGuid: string, part: Partial<Entry>) => {
    setProblems(new Map([...problems].filter(([path]) => !path.startsWith(lineGuid))))
    setEntries((before) => before.map((entry) => (entry.lineGuid === lineGuid ? { ...entry, ...part } : entry)))
  }
  const failure = add.error ?? update.error ?? priced.error
  const missing = title.trim() ? null : t('changes:titleMissing')
  const save = async () => {
    const given = { guid, version, title: title.trim(), note: note.trim(), actions }
    onBusy(true)
    try {
      if (draft) await update.mutateAsync({ ...given, changeGuid: draft.guid })
      else await add.mutateAsync(given)
      toast.success(draft ? t('changes:done.edit', { number: draft.number }) : t('changes:done.add'))
      onClose()
    } catch (caught) {
      const { ofEntries, ofAdded } = problemsOf(actions, asApiError(caught).errors)
      setProblems(ofEntries)
      store.set(withProblems(store.get(), ofAdded))
    } finally {
      onBusy(false)
    }
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!missing && actions.length > 0) void save()
      }}
    >
      <TextInput
        label={t('changes:title')}
        value={title}
        required
        data-autofocus
        maxLength={120}
        error={isTried ? missing : null}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <p className="muted small no-margin">{t(`changes:how2.${isRegistered ? priceMode : 'plain'}`)}</p>
      <ul className="change-entries" aria-label={t('changes:lines')}>
        {entries.map((entry) => (
          <EntryRow
            key={entry.lineGuid}
            entry={entry}
            problems={problems}
            onChange={(part) => put(entry.lineGuid, part)}
          />
        ))}
      </ul>
      <PricedFor value={customerGuid}>
        <LinesEditor
          store={store}
          priceMode={priceMode}
          isRegistered={isRegistered}
          isPricedOnly
          label={t('changes:newLines')}
        />
      </PricedFor>
      <Textarea
        label={t('changes:note')}
        description={t('changes:noteText')}
        value={note}
        autosize
        minRows={2}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div aria-live="polite">
        {actions.length > 0 && priced.data && !priced.error ? <ChangedLines {...priced.data} /> : null}
        {isTried && actions.length === 0 ? <p className="field-error">{t('changes:nothing')}</p> : null}
      </div>
      {failure && actions.length > 0 ? (
        <Alert color="red" variant="light" role="alert">
          {text(failure)}
        </Alert>
      ) : null}
      <DialogActions>
        <Button variant="default" onClick={onClose} disabled={isSaving}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" loading={isSaving}>
          {t(draft ? 'changes:save' : 'changes:create')}
        </Button>
      </DialogActions>
    </form>
  )
}

interface EntryRowProps {
  entry: Entry
  /** What the server said, by the guid of the line and the field. */
  problems: ReadonlyMap<string, string>
  onChange: (part: Partial<Entry>) => void
}

function EntryRow({ entry, problems, onChange }: EntryRowProps) {
  const t = useT('changes')
  const { name, quantity, unitPriceCents, isRemoved, lineGuid } = entry
  const wrong = (field: string) => problems.get(`${lineGuid}.${field}`)
  return (
    <li className={isRemoved ? 'is-removed' : ''}>
      <bdi className="strong">{name}</bdi>
      <div className="change-entry">
        <QuantityInput
          label={t('changes:quantity')}
          aria-label={t('changes:quantityOf', { name })}
          value={quantity}
          disabled={isRemoved}
          error={wrong('quantity')}
          onChange={(value) => onChange({ quantity: value })}
        />
        <MoneyInput
          label={t('changes:price')}
          aria-label={t('changes:priceOf', { name })}
          value={unitPriceCents}
          disabled={isRemoved}
          error={wrong('unitPriceCents')}
          onChange={(value) => onChange({ unitPriceCents: value })}
        />
        <Button
          variant="default"
          aria-label={t(isRemoved ? 'changes:keepNamed' : 'changes:removeNamed', { name })}
          onClick={() => onChange({ isRemoved: !isRemoved })}
        >
          {t(isRemoved ? 'changes:keep' : 'changes:remove')}
        </Button>
      </div>
      {wrong('lineGuid') ? <p className="field-error">{wrong('lineGuid')}</p> : null}
    </li>
  )
}

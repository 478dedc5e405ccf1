import { Alert, Button, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { ChangeAction } from '../../contract/change-orders.ts'
import { ordersApi, type Order } from '../../contract/orders.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Dialog, DialogActions } from '../core/ui/dialog.tsx'
import { MoneyInput, QuantityInput } from '../core/ui/inputs.tsx'
import { toast } from '../core/ui/toast.tsx'
import { actionsOfEntries, entriesOf, newEntry, type Entry } from './change-entries.ts'
import { ChangedLines } from '../lines/changed-lines.tsx'
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

/** Drafts a change: the lines of the order with other quantities and prices, without some, with new ones. */
export function ChangeDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useT('changes', 'common')
  const text = useErrorText()
  const [title, setTitle] = useState('')
  const [note, setNote] = useState('')
  const [isTried, setTried] = useState(false)
  const [entries, setEntries] = useState<readonly Entry[]>(() => entriesOf(order))
  const actions = actionsOfEntries(entries, order)
  const priced = usePriced(order, actions)
  const add = useWrite(ordersApi.addChange, {
    onSuccess: () => {
      toast.success(t('changes:done.add'))
      onClose()
    },
  })
  const put = (key: string, part: Partial<Entry>) =>
    setEntries((before) => before.map((entry) => (entry.key === key ? { ...entry, ...part } : entry)))
  const failure = add.error ?? priced.error
  const missing = title.trim() ? null : t('changes:titleMissing')
  return (
    <Dialog title={t('changes:add')} size="lg" isBusy={add.isPending} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (missing || actions.length === 0 || event.currentTarget.querySelector('[aria-invalid="true"]')) return
          add.mutate({ guid: order.guid, version: order.version, title: title.trim(), note: note.trim(), actions })
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
        <p className="muted small no-margin">{t('changes:how2')}</p>
        <ul className="change-entries" aria-label={t('changes:lines')}>
          {entries.map((entry) => (
            <EntryRow key={entry.key} entry={entry} onChange={(part) => put(entry.key, part)} />
          ))}
        </ul>
        <div>
          <ActionButton
            variant="light"
            icon="create"
            onClick={() => setEntries((before) => [...before, newEntry(crypto.randomUUID())])}
          >
            {t('changes:addLine')}
          </ActionButton>
        </div>
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
          <Button variant="default" onClick={onClose} disabled={add.isPending}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {t('changes:create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function EntryRow({ entry, onChange }: { entry: Entry; onChange: (part: Partial<Entry>) => void }) {
  const t = useT('changes')
  const { name, quantity, unitPriceCents, isRemoved, lineGuid } = entry
  const of = name || t('changes:newLine')
  return (
    <li className={isRemoved ? 'is-removed' : ''}>
      {lineGuid === null ? (
        <TextInput
          label={t('changes:newLine')}
          value={name}
          maxLength={200}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      ) : (
        <bdi className="strong">{name}</bdi>
      )}
      <div className="change-entry">
        <QuantityInput
          label={t('changes:quantity')}
          aria-label={t('changes:quantityOf', { name: of })}
          value={quantity}
          disabled={isRemoved}
          onChange={(value) => onChange({ quantity: value })}
        />
        <MoneyInput
          label={t('changes:price')}
          aria-label={t('changes:priceOf', { name: of })}
          value={unitPriceCents}
          disabled={isRemoved}
          onChange={(value) => onChange({ unitPriceCents: value })}
        />
        <Button
          variant="default"
          aria-label={t(isRemoved ? 'changes:keepNamed' : 'changes:removeNamed', { name: of })}
          onClick={() => onChange({ isRemoved: !isRemoved })}
        >
          {t(isRemoved ? 'changes:keep' : 'changes:remove')}
        </Button>
      </div>
    </li>
  )
}

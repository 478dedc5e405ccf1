import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { customersApi } from '../../contract/customers.ts'
import { pathOf } from '../../contract/nouns.ts'
import { quoteEntriesApi } from '../../contract/quote-entries.ts'
import type { Quote } from '../../contract/quotes.ts'
import { asApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { LookupInput } from '../core/ui/lookup.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { EntryFields, entryOf, noEntry } from './entry-fields.tsx'
import { useLeftOut } from './left-out.ts'
import { quoteName } from './quote-name.ts'

/** Puts an entry into a draft. */
export function EntryDialog({ quote, onClose }: { quote: Quote; onClose: () => void }) {
  const t = useT('templates', 'quotes', 'record')
  const leftOut = useLeftOut()
  const [typed, setTyped] = useState(noEntry)
  const entry = entryOf(typed)
  const add = useWrite(quoteEntriesApi.add, {
    onSuccess: ({ missing }) => {
      toast.success(t('templates:entry.added', { name: quoteName(quote, quote.title) }))
      leftOut(missing)
      onClose()
    },
  })
  return (
    <AskDialog
      title={t('templates:entry.add')}
      action={t('templates:entry.add')}
      error={add.error}
      isBusy={add.isPending}
      isBlocked={!entry}
      onClose={onClose}
      onAsk={() => {
        if (entry) add.mutate({ guid: quote.guid, version: quote.version, entry })
      }}
    >
      <EntryFields typed={typed} onChange={setTyped} error={add.error} />
    </AskDialog>
  )
}

/** Begins a quote with an entry: for whom, what it is called, and what comes first. */
export function BeginDialog({ onClose }: { onClose: () => void }) {
  const t = useT('templates', 'quotes', 'record')
  const go = useGo()
  const leftOut = useLeftOut()
  const [customerGuid, setCustomer] = useState<string | null>(null)
  const [title, setTitle] = useState('')
  const [typed, setTyped] = useState(noEntry)
  const entry = entryOf(typed)
  const begin = useWrite(quoteEntriesApi.begin, {
    onSuccess: async ({ quote, missing }) => {
      toast.success(t('templates:used', { name: quote.title }))
      leftOut(missing)
      await go(pathOf('Quotes', 'view', quote.guid))
    },
  })
  const problems = begin.error ? asApiError(begin.error).errors : []
  const at = (field: string) => problems.find(({ path }) => path === field)?.message
  return (
    <AskDialog
      title={t('quotes:begin.entry')}
      action={t('templates:entry.beginAction')}
      error={begin.error}
      isBusy={begin.isPending}
      isBlocked={!entry || customerGuid === null || title.trim() === ''}
      onClose={onClose}
      onAsk={() => {
        if (entry && customerGuid) begin.mutate({ customerGuid, title, entry })
      }}
    >
      <LookupInput
        op={customersApi.list}
        option={(item) => ({ value: item.guid, label: item.displayName })}
        value={customerGuid}
        onChange={setCustomer}
        label={t('templates:customer')}
        required
        error={at('customerGuid')}
      />
      <TextInput
        label={t('templates:entry.quoteTitle')}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        maxLength={200}
        required
        error={at('title')}
      />
      <EntryFields typed={typed} onChange={setTyped} error={begin.error} />
    </AskDialog>
  )
}

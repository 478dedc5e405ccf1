import { Radio, TextInput } from '@mantine/core'
import { useDeferredValue, useState } from 'react'
import { inboundApi } from '../../contract/inbound.ts'
import type { Message } from '../../contract/messages.ts'
import { nounOfKind, searchApi, type SearchHit } from '../../contract/search.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { ErrorState, LoadingLines } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import './file-under.css'

const fields = { Customers: 'customerGuid', Quotes: 'quoteGuid', Orders: 'orderGuid', Invoices: 'invoiceGuid' } as const
const kinds = 'customers,quotes,orders,invoices'
const isPlace = (noun: string): noun is keyof typeof fields => Object.hasOwn(fields, noun)

/** Files an email that came in under a customer or a document, whichever the search finds. */
export function FileUnderDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useT('inbound')
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<SearchHit | null>(null)
  const assign = useWrite(inboundApi.assign, {
    onSuccess: ({ filedUnder }) => {
      toast.success(t('inbound:file.done', { name: filedUnder ?? '' }))
      onClose()
    },
  })
  const onAsk = () => {
    const noun = chosen && nounOfKind(chosen.kind)
    if (!chosen || !noun || !isPlace(noun)) return
    assign.mutate({ guid: message.guid, version: message.version, [fields[noun]]: chosen.guid })
  }
  return (
    <AskDialog
      title={t('inbound:file.title')}
      action={t('inbound:file.action')}
      error={assign.error}
      isBusy={assign.isPending}
      isBlocked={chosen === null}
      onClose={onClose}
      onAsk={onAsk}
    >
      <p className="muted no-margin">{t('inbound:file.text')}</p>
      <TextInput
        label={t('inbound:file.search')}
        placeholder={t('inbound:file.placeholder')}
        leftSection={<Icon name="search" size={16} />}
        value={typed}
        maxLength={100}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setChosen(null)
        }}
        data-autofocus
      />
      <Found
        typed={useDeferredValue(typed.trim())}
        business={message.businessGuid}
        chosen={chosen}
        onChoose={setChosen}
      />
    </AskDialog>
  )
}

interface FoundProps {
  typed: string
  business: string
  chosen: SearchHit | null
  onChoose: (hit: SearchHit) => void
}

function Found({ typed, business, chosen, onChoose }: FoundProps) {
  const t = useT('inbound')
  const isLong = typed.length >= 2
  const read = useRead(searchApi.all, { q: typed, kinds, business }, { enabled: isLong, keep: true })
  if (!isLong) return null
  if (read.error) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <LoadingLines lines={3} />
  const hits = read.data.groups.flatMap(({ items }) => items)
  if (hits.length === 0) return <p className="muted no-margin">{t('inbound:file.none')}</p>
  return (
    <Radio.Group
      label={t('inbound:file.found')}
      value={chosen?.guid ?? ''}
      onChange={(guid) => {
        const hit = hits.find((one) => one.guid === guid)
        if (hit) onChoose(hit)
      }}
    >
      <div className="file-under-hits">
        {hits.map((hit) => (
          <Radio key={hit.guid} value={hit.guid} label={unbroken(hit.label)} description={hit.detail} />
        ))}
      </div>
    </Radio.Group>
  )
}

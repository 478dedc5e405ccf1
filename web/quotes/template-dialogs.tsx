import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { customersApi } from '../../contract/customers.ts'
import { pathOf, pathTo } from '../../contract/nouns.ts'
import { quoteTemplatesApi } from '../../contract/quote-templates.ts'
import type { Quote } from '../../contract/quotes.ts'
import { asApiError } from '../core/api/error.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { LookupInput } from '../core/ui/lookup.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { useLeftOut } from './left-out.ts'

const problemAt = (error: unknown, field: string) =>
  error ? asApiError(error).errors.find(({ path }) => path === field)?.message : undefined

/** Makes a template of a quote. */
export function SaveTemplateDialog({ quote, onClose }: { quote: Quote; onClose: () => void }) {
  const t = useT('templates', 'quotes', 'record')
  const go = useGo()
  const [name, setName] = useState(quote.title.slice(0, 120))
  const save = useWrite(quoteTemplatesApi.fromQuote, {
    onSuccess: async ({ quoteTemplate }) => {
      toast.success(t('templates:made', { name: quoteTemplate.name }))
      onClose()
      await go(pathTo('QuoteTemplates', quoteTemplate.guid))
    },
  })
  return (
    <AskDialog
      title={t('templates:saveAs')}
      action={t('templates:saveAs')}
      error={save.error}
      isBusy={save.isPending}
      isBlocked={name.trim() === ''}
      onClose={onClose}
      onAsk={() => save.mutate({ guid: quote.guid, name })}
    >
      <p className="no-margin">{t('templates:saveAsText')}</p>
      <TextInput
        label={t('templates:name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={120}
        data-autofocus
        error={problemAt(save.error, 'name')}
      />
    </AskDialog>
  )
}

interface UseTemplateProps {
  /** The template it begins with. */
  template?: { guid: string; name: string }
  /** The customer it begins with. */
  customerGuid?: string | undefined
  onClose: () => void
}

/** Makes a quote of a template: for whom, and what it is called. */
export function UseTemplateDialog({ template, customerGuid: first, onClose }: UseTemplateProps) {
  const t = useT('templates', 'quotes', 'record')
  const go = useGo()
  const leftOut = useLeftOut()
  const [templateGuid, setTemplate] = useState(template?.guid ?? null)
  const [customerGuid, setCustomer] = useState(first ?? null)
  const { data } = useRead(customersApi.get, { guid: first ?? '' }, { enabled: first !== undefined })
  const [title, setTitle] = useState('')
  const use = useWrite(quoteTemplatesApi.use, {
    onSuccess: async ({ quote, missing }) => {
      toast.success(t('templates:used', { name: quote.title }))
      leftOut(missing)
      await go(pathOf('Quotes', 'edit', quote.guid))
    },
  })
  return (
    <AskDialog
      title={t('quotes:begin.template')}
      action={t('templates:use')}
      error={use.error}
      isBusy={use.isPending}
      isBlocked={templateGuid === null || customerGuid === null}
      onClose={onClose}
      onAsk={() => {
        if (templateGuid && customerGuid) use.mutate({ templateGuid, customerGuid, ...(title.trim() ? { title } : {}) })
      }}
    >
      <LookupInput
        op={quoteTemplatesApi.list}
        option={(item) => ({ value: item.guid, label: item.name, hint: item.title })}
        chosen={template ? { value: template.guid, label: template.name } : null}
        value={templateGuid}
        onChange={setTemplate}
        label={t('templates:template')}
        required
        error={problemAt(use.error, 'templateGuid')}
      />
      <LookupInput
        op={customersApi.list}
        option={(item) => ({ value: item.guid, label: item.displayName })}
        chosen={data && first ? { value: first, label: data.customer.displayName } : null}
        value={customerGuid}
        onChange={setCustomer}
        label={t('templates:customer')}
        required
        error={problemAt(use.error, 'customerGuid')}
      />
      <TextInput
        label={t('templates:ownTitle')}
        description={t('templates:ownTitleHint')}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        maxLength={200}
        error={problemAt(use.error, 'title')}
      />
    </AskDialog>
  )
}

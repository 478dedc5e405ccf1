import { useState } from 'react'
import { quoteEntriesApi } from '../../contract/quote-entries.ts'
import { quoteTemplatesApi } from '../../contract/quote-templates.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'

const BeginDialog = whenOpen(() => import('./entry-dialog.tsx').then((module) => module.BeginDialog))
const UseTemplateDialog = whenOpen(() => import('./template-dialogs.tsx').then((module) => module.UseTemplateDialog))

/** Begins a quote from a template, for this customer where there is one. */
export function FromTemplate({ customerGuid }: { customerGuid?: string | undefined }) {
  const t = useT('quotes')
  const [isOpen, setOpen] = useState(false)
  const [mayUse, mayList] = [useCan(quoteTemplatesApi.use), useCan(quoteTemplatesApi.list)]
  if (!mayUse || !mayList) return null
  return (
    <>
      <ActionButton variant="default" onClick={() => setOpen(true)}>
        {t('quotes:begin.template')}
      </ActionButton>
      {isOpen ? <UseTemplateDialog customerGuid={customerGuid} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** Other ways to begin a quote than an empty one: with an entry, or from a template. */
export function BeginQuote() {
  const t = useT('quotes')
  const [isOpen, setOpen] = useState(false)
  const mayBegin = useCan(quoteEntriesApi.begin)
  return (
    <>
      <FromTemplate />
      {mayBegin ? (
        <ActionButton variant="default" onClick={() => setOpen(true)}>
          {t('quotes:begin.entry')}
        </ActionButton>
      ) : null}
      {isOpen ? <BeginDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}

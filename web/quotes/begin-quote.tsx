import { useState } from 'react'
import { quoteEntriesApi } from '../../contract/quote-entries.ts'
import { quoteTemplatesApi } from '../../contract/quote-templates.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'

const BeginDialog = whenOpen(() => import('./entry-dialog.tsx').then((module) => module.BeginDialog))
const UseTemplateDialog = whenOpen(() => import('./template-dialogs.tsx').then((module) => module.UseTemplateDialog))

/** Other ways to begin a quote than an empty one: with an entry, or from a template. */
export function BeginQuote() {
  const t = useT('quotes')
  const [opened, setOpened] = useState<'entry' | 'template' | null>(null)
  const [mayBegin, mayUse, mayList] = [
    useCan(quoteEntriesApi.begin),
    useCan(quoteTemplatesApi.use),
    useCan(quoteTemplatesApi.list),
  ]
  const close = () => setOpened(null)
  return (
    <>
      {mayUse && mayList ? (
        <ActionButton variant="default" onClick={() => setOpened('template')}>
          {t('quotes:begin.template')}
        </ActionButton>
      ) : null}
      {mayBegin ? (
        <ActionButton variant="default" onClick={() => setOpened('entry')}>
          {t('quotes:begin.entry')}
        </ActionButton>
      ) : null}
      {opened === 'template' ? <UseTemplateDialog onClose={close} /> : null}
      {opened === 'entry' ? <BeginDialog onClose={close} /> : null}
    </>
  )
}

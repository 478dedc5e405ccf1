import { useEffect } from 'react'
import { quoteEntriesApi } from '../../contract/quote-entries.ts'
import type { Quote } from '../../contract/quotes.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Money } from '../core/ui/money.tsx'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { useListed } from './left-out.ts'
import { quoteName } from './quote-name.ts'

/** Tells what today's catalogue would change of a draft, and changes it. */
export function RepriceDialog({ quote, onClose }: { quote: Quote; onClose: () => void }) {
  const t = useT('templates', 'record')
  const listed = useListed()
  const { guid, version } = quote
  const { mutate: look, ...looked } = useWrite(quoteEntriesApi.reprice)
  const update = useWrite(quoteEntriesApi.reprice, {
    onSuccess: () => {
      toast.success(t('templates:reprice.done', { name: quoteName(quote, quote.title) }))
      onClose()
    },
  })
  useEffect(() => look({ guid, version, dryRun: true }), [look, guid, version])
  const { data } = looked
  return (
    <AskDialog
      title={t('templates:reprice.title')}
      action={t('templates:reprice.action')}
      error={update.error ?? looked.error}
      isBusy={update.isPending || looked.isPending}
      isBlocked={!data || data.changes.length === 0}
      onClose={onClose}
      onAsk={() => update.mutate({ guid, version })}
    >
      <p className="no-margin">{t('templates:reprice.text')}</p>
      {data && data.changes.length === 0 ? <p className="muted no-margin">{t('templates:reprice.same')}</p> : null}
      {data && data.changes.length > 0 ? (
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('templates:reprice.line')}</th>
              <th scope="col" className="end">
                {t('templates:reprice.before')}
              </th>
              <th scope="col" className="end">
                {t('templates:reprice.after')}
              </th>
            </tr>
          </thead>
          <tbody>
            {[...data.changes, { ...data, lineGuid: 'total', name: t('templates:reprice.total') }].map(
              ({ lineGuid, name, beforeCents, afterCents }) => (
                <tr key={lineGuid}>
                  <td>{name}</td>
                  <td className="end">
                    <Money cents={beforeCents} />
                  </td>
                  <td className="end">
                    <Money cents={afterCents} />
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      ) : null}
      {data && data.missing.length > 0 ? (
        <p className="muted no-margin">{t('templates:reprice.missing', { names: listed(data.missing) })}</p>
      ) : null}
    </AskDialog>
  )
}

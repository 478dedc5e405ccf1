import { useState } from 'react'
import { invoicesApi, type Invoice } from '../../contract/invoices.ts'
import { asApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/ui/toast.tsx'
import { NatureFields, type Nature } from '../lines/nature-fields.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'

/** Makes the draft of a deposit a part payment or a security deposit. */
export function NatureDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const t = useT('invoices')
  const { guid, version, depositNature, forfeitureClause } = invoice
  const [value, setValue] = useState<Nature>({ nature: depositNature, clause: forfeitureClause ?? '' })
  const save = useWrite(invoicesApi.update, {
    onSuccess: () => {
      toast.success(t('invoices:saved', { name: invoice.title }))
      onClose()
    },
  })
  const error = save.error
    ? asApiError(save.error).errors.find(({ path }) => path === 'forfeitureClause')?.message
    : undefined
  return (
    <AskDialog
      title={t('invoices:deposits.nature')}
      action={t('invoices:deposits.saveNature')}
      error={save.error}
      isBusy={save.isPending}
      isBlocked={value.nature === 'security' && !value.clause.trim()}
      onClose={onClose}
      onAsk={() =>
        save.mutate({
          guid,
          version,
          depositNature: value.nature,
          ...(value.nature === 'security' ? { forfeitureClause: value.clause.trim() } : {}),
        })
      }
    >
      <NatureFields value={value} onChange={setValue} error={error} />
    </AskDialog>
  )
}

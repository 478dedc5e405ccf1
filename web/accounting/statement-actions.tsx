import { useState } from 'react'
import { type Statement, statementsApi } from '../../contract/statements.ts'
import { useMay } from '../core/api/can.ts'
import { asApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { PrintButton } from '../core/ui/print-button.tsx'
import { toast } from '../core/ui/toast.tsx'
import { SendStatements } from './send-statements.tsx'

interface Props {
  statement: Statement
  kind: Statement['kind']
  from: string
  to: string
}

/** What is done with a statement: kept, brought to its customer by a link, or sent. */
export function StatementActions({ statement, kind, from, to }: Props) {
  const t = useT('accounting')
  const text = useErrorText()
  const may = useMay()
  const link = useWrite(statementsApi.link)
  const [isSending, setSending] = useState(false)
  const { guid, name } = statement.customer
  const period = kind === 'activity' ? { from } : {}
  const isEmpty = statement.rows.length === 0 && statement.openingCents === 0
  const copy = async () => {
    try {
      const { serviceUrl } = await link.mutateAsync({ guid })
      await navigator.clipboard.writeText(serviceUrl)
      toast.success(t('accounting:send.linkCopied'))
    } catch (error) {
      toast.error(text(asApiError(error)))
    }
  }
  return (
    <>
      <PrintButton />
      <DownloadButton op={statementsApi.pdf} input={{ guid, kind, to, ...period }}>
        {t('accounting:send.pdf')}
      </DownloadButton>
      {may(statementsApi.link) && 'clipboard' in navigator ? (
        <ActionButton variant="default" icon="copy" loading={link.isPending} onClick={() => void copy()}>
          {t('accounting:send.link')}
        </ActionButton>
      ) : null}
      {may(statementsApi.send) ? (
        <ActionButton
          icon="send"
          onClick={() => setSending(true)}
          disabledReason={isEmpty && t('accounting:statement.nothing')}
        >
          {t('accounting:send.open')}
        </ActionButton>
      ) : null}
      {isSending ? (
        <SendStatements
          customers={[{ guid, name, to: statement.sendsTo }]}
          kind={kind}
          {...period}
          to={to}
          onClose={() => setSending(false)}
        />
      ) : null}
    </>
  )
}

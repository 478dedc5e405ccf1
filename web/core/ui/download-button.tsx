import type { Op } from '../../../contract/core/op.ts'
import { useState } from 'react'
import { download } from '../api/client.ts'
import type { Payload } from '../api/types.ts'
import { useErrorText } from '../i18n/errors.ts'
import { ActionButton, type ActionButtonProps } from './action-button.tsx'
import { toast } from './toast.tsx'

/** Fetches a PDF or CSV and hands it to the browser; shows that it is working, and says what went wrong. */
export function DownloadButton<O extends Op>({
  op,
  input,
  ...rest
}: { op: O; input: Payload<O> } & Omit<ActionButtonProps, 'onClick' | 'loading' | 'type' | 'form'>) {
  const text = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const go = async () => {
    setBusy(true)
    await download(op, input).catch((error: unknown) => toast.error(text(error)))
    setBusy(false)
  }
  return <ActionButton variant="default" icon="download" {...rest} loading={isBusy} onClick={() => void go()} />
}

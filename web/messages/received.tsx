import { filesApi } from '../../contract/files.ts'
import { inboundApi } from '../../contract/inbound.ts'
import type { Message } from '../../contract/messages.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { toast } from '../core/ui/toast.tsx'
import { AddSender } from './add-sender.tsx'

/** Whom an email that came in is from, as far as nobody knows; and that it waits to be filed. */
export function FilingBanner({ message }: { message: Message }) {
  const t = useT('inbound')
  if (message.isUnmatched)
    return (
      <div className="document-banner" data-tone="info" role="status">
        <strong>{t('inbound:banner.unmatched')}</strong>
        <span>{t('inbound:banner.unmatchedText')}</span>
      </div>
    )
  if (!message.isUnknownSender) return null
  return (
    <div className="document-banner" data-tone="warning" role="status">
      <strong>{t('inbound:banner.unknown')}</strong>
      <span>{t('inbound:banner.unknownText')}</span>
      <AddSender message={message} />
    </div>
  )
}

/** Sets an email aside, or takes it back. */
export function useFiling({ guid, version }: Message) {
  const t = useT('inbound')
  const assign = useWrite(inboundApi.assign)
  const set = (action: 'ignore' | 'restore') => async () => {
    await assign.mutateAsync({ guid, version, action })
    toast.success(t(`inbound:${action}.done`))
  }
  return { ignore: { run: set('ignore') }, restore: { run: set('restore') } }
}

/** What came, or goes, with a message as files. */
export function MessageFiles({ files }: Pick<Message, 'files'>) {
  if (files.length === 0) return null
  return (
    <div className="row">
      {files.map(({ guid, name }) => (
        <DownloadButton key={guid} op={filesApi.content} input={{ guid }}>
          {name}
        </DownloadButton>
      ))}
    </div>
  )
}

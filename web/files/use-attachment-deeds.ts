import { filesApi, type Attachment } from '../../contract/files.ts'
import { download } from '../core/api/client.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useWholeErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { toast, toastWithAction } from '../core/ui/toast.tsx'
import { contentOptions } from './content-url.ts'

/** What can be done with a file on a record; what goes wrong is said in a toast. */
export function useAttachmentDeeds() {
  const t = useT('files', 'common')
  const text = useWholeErrorText()
  const change = useWrite(filesApi.updateAttachment)
  const detach = useWrite(filesApi.detach)
  const restore = useWrite(filesApi.restoreAttachment)
  const complain = (error: unknown) => toast.error(text(error))
  const putBack = async (guid: string) => {
    await restore.mutateAsync({ guid })
    toast.success(t('files:restored'))
  }
  return {
    isShowing: change.isPending,
    show: ({ guid, version }: Attachment, forCustomer: boolean) =>
      void change.mutateAsync({ guid, version, forCustomer }).catch(complain),
    caption: ({ guid, version }: Attachment, caption: string) =>
      change.mutateAsync({ guid, version, caption: caption === '' ? null : caption }),
    detach: async ({ guid, version }: Attachment) => {
      try {
        await detach.mutateAsync({ guid, version })
        void toastWithAction(t('files:detached'), t('common:undo'), () => void putBack(guid).catch(complain))
      } catch (error) {
        complain(error)
      }
    },
    download: ({ file }: Attachment) =>
      void download(filesApi.content, { guid: file.guid, size: 'file' }, contentOptions).catch(complain),
  }
}
export type AttachmentDeeds = ReturnType<typeof useAttachmentDeeds>

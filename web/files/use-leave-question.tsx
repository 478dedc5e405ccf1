import { useBlocker } from '@tanstack/react-router'
import { useT } from '../core/i18n/i18n.ts'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'

/** Asks before a page is left that still sends files. Render what it returns. */
export function useLeaveQuestion(count: number) {
  const t = useT('files')
  const isSending = count > 0
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isSending && current.pathname !== next.pathname,
    enableBeforeUnload: () => isSending,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      isOpen={blocker.status === 'blocked'}
      title={t('files:leave.title')}
      confirmLabel={t('files:leave.confirm')}
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    >
      {t('files:leave.text', { count })}
    </ConfirmDialog>
  )
}

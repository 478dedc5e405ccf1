import { useBlocker } from '@tanstack/react-router'
import { Button, Group, Modal } from '@mantine/core'
import { useT } from '../i18n/i18n.ts'

/**
 * Warns before changes are lost, by a link, the back button or closing the tab. Render what it returns. `isOff` lets the
 * page move on by itself after saving.
 */
export function useUnsaved(isDirty: boolean, isOff?: () => boolean) {
  const t = useT('common')
  const blocker = useBlocker({ shouldBlockFn: ({ current, next }) => isDirty && !isOff?.() && current.pathname !== next.pathname, enableBeforeUnload: () => isDirty && !isOff?.(), withResolver: true })
  const isBlocked = blocker.status === 'blocked'
  return (
    <Modal opened={isBlocked} onClose={() => blocker.reset?.()} title={t('common:unsaved.title')} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <div className="stack">
        <p className="no-margin">{t('common:unsaved.text')}</p>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => blocker.proceed?.()}>
            {t('common:unsaved.leave')}
          </Button>
          <Button onClick={() => blocker.reset?.()} data-autofocus>
            {t('common:unsaved.stay')}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}

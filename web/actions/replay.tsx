import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Action, actionsApi } from '../../contract/actions.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { toast } from '../core/ui/toast.tsx'

interface ReplayProps {
  action: Pick<Action, 'guid' | 'name' | 'status' | 'archivedAt'>
  eventGuid: string
  /** What the record of the event is called. */
  label: string
}

/** Runs an action once more for one event, for real; asked first. */
export function Replay({ action, eventGuid, label }: ReplayProps) {
  const t = useT('actions')
  const mayReplay = useCan(actionsApi.replay)
  const [isAsking, setAsking] = useState(false)
  const replay = useWrite(actionsApi.replay)
  if (!mayReplay || action.status !== 'active' || action.archivedAt) return null
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={t('actions:replay.of', { name: label })}
        onClick={() => setAsking(true)}
      >
        {t('actions:replay.button')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('actions:replay.title', { name: label })}
        confirmLabel={t('actions:replay.button')}
        onConfirm={async () => {
          const { runs } = await replay.mutateAsync({ guid: action.guid, eventGuids: [eventGuid] })
          const [run] = runs
          if (run?.state === 'skipped') toast.info(t('actions:replay.skipped', { name: label }))
          else toast.success(t('actions:replay.done', { name: label }))
        }}
      >
        <p className="no-margin">{t('actions:replay.text')}</p>
      </ConfirmDialog>
    </>
  )
}

import { useState } from 'react'
import { type Action, type ActionChoices, actionsApi } from '../../contract/actions.ts'
import { useCan } from '../core/api/can.ts'
import { useUser } from '../core/api/auth-state.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT, type T } from '../core/i18n/i18n.ts'
import { useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import type { ActionFacts } from '../record/actions.ts'
import { archivingActions } from '../record/archiving.ts'
import { RecordFrame } from '../record/record-frame.tsx'
import { useSaving } from '../record/saving.tsx'
import { ActionChip } from './action-chip.tsx'
import { ActionForm } from './action-form.tsx'
import { actionRows, valuesOfAction } from './action-values.ts'
import { RunLog } from './run-log.tsx'

export function Page() {
  const guid = useGuid()
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(actionsApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  const choices = useRead(actionsApi.choices, {})
  return (
    <Loaded of={read}>
      {({ action }) => (
        <Loaded of={choices}>{(known) => <Editor key={action.guid} first={action} choices={known} />}</Loaded>
      )}
    </Loaded>
  )
}

const freshMs = 15_000

/** What turning it on does besides, said before: what waited goes on, with the rights of whoever turns it on. */
function useAsked({ guid, name, owner, status }: Action): ActionFacts['confirm'] {
  const t = useT('actions')
  const me = useUser()
  const read = { action: guid, state: 'waiting', size: 10 } as const
  const runs = useRead(actionsApi.runs, read, { enabled: status === 'paused', refetchInterval: freshMs })
  const count = status === 'paused' ? (runs.data?.page.total.value ?? 0) : 0
  const isMine = me?.guid === owner.guid
  if (status === 'active' || (count === 0 && isMine)) return undefined
  return {
    title: t('actions:turningOn.title', { name }),
    text: [
      ...(count > 0 ? [t('actions:turningOn.waiting', { count })] : []),
      ...(isMine ? [] : [t('actions:turningOn.rights')]),
    ].join(' '),
  }
}

interface Turning {
  isDirty: boolean
  confirm: ActionFacts['confirm']
}

/** Turned on by hand, and paused likewise. What is turned on is what is saved: it must be what is on screen. */
const statusActions = (
  t: T,
  { status, archivedAt }: Action,
  { isDirty, confirm }: Turning,
): ActionFacts<'activate' | 'pause'>[] => [
  {
    key: 'activate',
    op: actionsApi.status,
    label: t('actions:turnOn'),
    icon: 'next',
    place: 'main',
    isHidden: status === 'active' || archivedAt !== null,
    refusal: isDirty ? t('actions:saveFirst') : null,
    ...(confirm ? { confirm } : {}),
    isNext: true,
  },
  {
    key: 'pause',
    op: actionsApi.status,
    label: t('actions:pause'),
    icon: 'pause',
    place: 'main',
    isHidden: status !== 'active' || archivedAt !== null,
  },
]

function Editor({ first, choices }: { first: Action; choices: ActionChoices }) {
  const t = useT('actions', 'record', 'common')
  const mayWrite = useCan(actionsApi.update)
  const update = useWrite(actionsApi.update)
  const status = useWrite(actionsApi.status)
  const [isDirty, setDirty] = useState(false)
  const confirm = useAsked(first)
  const { base, round, save, restart, dialog } = useSaving({
    first,
    noun: 'action',
    fields: actionRows,
    send: async (version, changes) => {
      const { action } = await update.mutateAsync({ guid: first.guid, version, ...changes })
      return action
    },
  })
  // What was just saved may not have been read again yet.
  const version = Math.max(first.version, base.version)
  const does = (deed: 'activate' | 'pause') => ({
    run: async () => {
      await status.mutateAsync({ guid: first.guid, version, deed })
      toast.success(t(`actions:done.${deed}`))
    },
  })
  const { pausedReason, archivedAt } = first
  return (
    <RecordFrame
      noun="Actions"
      title={base.name}
      subtitle={
        pausedReason && pausedReason !== 'person'
          ? t(`actions:off.${pausedReason}`)
          : t('actions:runsAs', { name: first.owner.label })
      }
      badge={
        <>
          <ActionChip status={first.status} />
          {archivedAt ? <StatusChip status="archived" /> : null}
        </>
      }
      listLabel={t('actions:list.title')}
      actions={[
        ...statusActions(t, first, { isDirty, confirm }),
        ...archivingActions(t, 'actions', actionsApi, { name: base.name, archivedAt }),
      ]}
      record={{ ...first, version }}
      deeds={{ activate: does('activate'), pause: does('pause') }}
    >
      <div className="stack action-page">
        <ActionForm
          key={round}
          defaults={valuesOfAction(base)}
          choices={choices}
          saveLabel={first.status === 'draft' ? t('actions:saveDraft') : t('actions:save')}
          isReadOnly={!mayWrite || archivedAt !== null}
          of={first}
          onDirty={setDirty}
          save={async (_input, changes) => {
            const saved = await save(changes)
            toast.success(t('actions:saved', { name: saved.name }))
            restart(saved)
          }}
        />
        <RunLog action={first} choices={choices} />
      </div>
      {dialog}
    </RecordFrame>
  )
}

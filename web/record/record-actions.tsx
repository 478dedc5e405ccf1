import { Fragment, useState, type ReactNode } from 'react'
import { z } from 'zod'
import type { Op } from '../../contract/core/op.ts'
import { useMay } from '../core/api/can.ts'
import { useRun } from '../core/api/hooks.ts'
import { useWholeErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { toast, toastWithAction } from '../core/ui/toast.tsx'
import type { ActionFacts } from './actions.ts'
import { MoreMenu } from './more-menu.tsx'

/** What an action does other than running its operation: something of its own, or a dialog. */
export interface Deed {
  run?: (reason: string) => unknown
  dialog?: (close: () => void) => ReactNode
}
type Deeds<K extends string> = Readonly<Partial<Record<K, Deed>>>

/** A record as far as its actions go: which one it is, and the version that was seen where it has versions. */
interface Acted {
  guid: string
  version?: number
}

export interface RecordActionsProps<K extends string> {
  actions: readonly ActionFacts<K>[]
  record: Acted
  deeds?: Deeds<K>
  /** What an operation answered, for pages that keep the record themselves. */
  onAnswer?: (answer: unknown) => void
}

/** Of the record and the reason, what the operation takes. */
function inputOf(op: Op, { guid, version }: Acted, reason: string) {
  const takes = op.body instanceof z.ZodObject ? op.body.shape : {}
  return { guid, ...('version' in takes ? { version } : {}), ...('reason' in takes && reason ? { reason } : {}) }
}

const looks = { main: undefined, light: 'light', head: 'default' } as const

/** What can be done with a record: the buttons and the menu of its head, and what they ask. */
export function useRecordActions<K extends string>({
  actions,
  record,
  deeds,
  onAnswer,
}: RecordActionsProps<K>): {
  head: ReactNode
  dialogs: ReactNode
} {
  const t = useT('common')
  const may = useMay()
  const run = useRun()
  const text = useWholeErrorText()
  const [open, setOpen] = useState<K | null>(null)
  const [running, setRunning] = useState<K | null>(null)
  const close = () => setOpen(null)
  const runs = async (op: Op, reason: string) => {
    const answer = await run(op, inputOf(op, record, reason) as never)
    onAnswer?.(answer)
  }
  const does = async (action: ActionFacts<K>, reason: string) => {
    const own = deeds?.[action.key]?.run
    if (own) return own(reason)
    await runs(action.op, reason)
    const { said, undo } = action
    if (!said) return undefined
    if (!undo) return toast.success(said)
    const takeBack = async () => {
      await runs(undo.op, '')
      toast.success(undo.said)
    }
    return toastWithAction(said, t('common:undo'), () => void takeBack().catch(complain))
  }
  const complain = (error: unknown) => toast.error(text(error))
  const start = (action: ActionFacts<K>) => {
    if (action.confirm || deeds?.[action.key]?.dialog) return setOpen(action.key)
    setRunning(action.key)
    void does(action, '')
      .catch(complain)
      .finally(() => setRunning(null))
  }
  const offered = actions.filter((action) => !action.isHidden && may(action.op))
  const buttons = (...places: ActionFacts['place'][]) =>
    offered
      .filter((action) => places.includes(action.place))
      .map((action) => {
        const variant = looks[action.place as keyof typeof looks]
        return (
          <ActionButton
            key={action.key}
            icon={action.icon}
            {...(variant ? { variant } : {})}
            disabledReason={action.refusal ?? null}
            loading={running === action.key}
            onClick={() => start(action)}
          >
            {action.label}
          </ActionButton>
        )
      })
  const asked = offered.find((action) => action.key === open)
  const dialog = asked && deeds?.[asked.key]?.dialog
  const head = (
    <>
      {buttons('head')}
      <MoreMenu
        items={offered
          .filter((action) => (action.place ?? 'more') === 'more')
          .map((action) => ({
            key: action.key,
            label: action.label,
            icon: action.icon,
            isDangerous: action.isDangerous ?? false,
            disabledReason: action.refusal ?? null,
            onClick: () => start(action),
          }))}
      />
      {buttons('light', 'main')}
    </>
  )
  const dialogs = (
    <>
      {asked && dialog ? <Fragment key={asked.key}>{dialog(close)}</Fragment> : null}
      <ConfirmDialog
        isOpen={Boolean(asked?.confirm)}
        onClose={close}
        title={asked?.confirm?.title ?? ''}
        confirmLabel={asked?.label ?? ''}
        isDangerous={asked?.isDangerous ?? false}
        {...(asked?.confirm?.reason ? { reasonLabel: asked.confirm.reason } : {})}
        {...(asked?.confirm?.keep ? { cancelLabel: asked.confirm.keep } : {})}
        onConfirm={(reason) => (asked ? does(asked, reason) : undefined)}
      >
        {asked?.confirm?.text}
      </ConfirmDialog>
    </>
  )
  return { head, dialogs }
}

/** The same where the record is seen without a page of its own. */
export function RecordActions<K extends string>(props: RecordActionsProps<K>) {
  const { head, dialogs } = useRecordActions(props)
  return (
    <>
      {head}
      {dialogs}
    </>
  )
}

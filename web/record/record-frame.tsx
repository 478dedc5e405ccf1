import { Fragment, useState, type ReactNode } from 'react'
import { z } from 'zod'
import type { Op } from '../../contract/core/op.ts'
import { pathTo, type NounWith } from '../../contract/nouns.ts'
import { useMay } from '../core/api/can.ts'
import { useRun } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { toast, toastWithAction } from '../core/ui/toast.tsx'
import type { ActionFacts } from './actions.ts'
import { MoreMenu } from './more-menu.tsx'

/** What an action does other than running its operation: something of its own, or a dialog. */
export interface Deed {
  run?: (reason: string) => unknown
  dialog?: (close: () => void) => ReactNode
}

export interface RecordFrameProps<K extends string> {
  noun: NounWith<'pages'>
  title: string
  subtitle?: ReactNode
  badge?: ReactNode
  /** What the list of all is called. */
  listLabel: string
  /** Before the actions: the file. */
  lead?: ReactNode
  actions: readonly ActionFacts<K>[]
  record: { guid: string; version: number }
  deeds: Readonly<Partial<Record<K, Deed>>>
  above?: ReactNode
  children: ReactNode
  timeline?: ReactNode
  rail?: ReactNode
}

/** Of the record and the reason, what the operation takes. */
function inputOf(op: Op, { guid, version }: { guid: string; version: number }, reason: string) {
  const takes = op.body instanceof z.ZodObject ? op.body.shape : {}
  return { guid, ...('version' in takes ? { version } : {}), ...('reason' in takes && reason ? { reason } : {}) }
}

const looks = { main: undefined, light: 'light', head: 'default' } as const

/** The page of a record: what it is called, what can be done with it, the record, what happened, and what stands beside it. */
export function RecordFrame<K extends string>({
  noun,
  title,
  subtitle,
  badge,
  listLabel,
  lead,
  actions,
  record,
  deeds,
  above,
  children,
  timeline,
  rail,
}: RecordFrameProps<K>) {
  const t = useT('common')
  const may = useMay()
  const run = useRun()
  const text = useErrorText()
  const [open, setOpen] = useState<K | null>(null)
  const [running, setRunning] = useState<K | null>(null)
  const close = () => setOpen(null)
  const does = async (action: ActionFacts<K>, reason: string) => {
    const own = deeds[action.key]?.run
    if (own) return own(reason)
    await run(action.op, inputOf(action.op, record, reason) as never)
    const { said, undo } = action
    if (!said) return undefined
    if (!undo) return toast.success(said)
    const takeBack = async () => {
      await run(undo.op, inputOf(undo.op, record, '') as never)
      toast.success(undo.said)
    }
    return toastWithAction(said, t('common:undo'), () => void takeBack().catch(complain))
  }
  const complain = (error: unknown) => toast.error(text(error))
  const start = (action: ActionFacts<K>) => {
    if (action.confirm || deeds[action.key]?.dialog) return setOpen(action.key)
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
  const dialog = asked && deeds[asked.key]?.dialog
  return (
    <>
      <PageHeader
        title={title}
        subtitle={subtitle}
        badge={badge}
        crumbs={[{ to: pathTo(noun), label: listLabel }]}
        actions={
          <>
            {lead}
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
        }
      />
      {above}
      {rail ? (
        <div className="with-rail">
          <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
            {children}
            {timeline ? <div className="no-print">{timeline}</div> : null}
          </div>
          <div className="no-print">{rail}</div>
        </div>
      ) : (
        children
      )}
      {asked && dialog ? <Fragment key={asked.key}>{dialog(close)}</Fragment> : null}
      <ConfirmDialog
        isOpen={Boolean(asked?.confirm)}
        onClose={close}
        title={asked?.confirm?.title ?? ''}
        confirmLabel={asked?.label ?? ''}
        isDangerous={asked?.isDangerous ?? false}
        {...(asked?.confirm?.reason ? { reasonLabel: asked.confirm.reason } : {})}
        onConfirm={(reason) => (asked ? does(asked, reason) : undefined)}
      >
        {asked?.confirm?.text}
      </ConfirmDialog>
    </>
  )
}

import { Button } from '@mantine/core'
import { Suspense, lazy, useState } from 'react'
import { useRun } from '../../api/hooks.ts'
import { useErrorText } from '../../i18n/errors.ts'
import { useT } from '../../i18n/i18n.ts'
import { usePageActions } from '../../layout/page-actions.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { Icon } from '../icon.tsx'
import { useGo } from '../params.ts'
import { toast, toastWithAction } from '../toast.tsx'
import type { BulkAction, BulkDeed, BulkFormProps, BulkResult } from './types.ts'

const BulkFailures = lazy(() => import('./bulk-failures.tsx').then((module) => ({ default: module.BulkFailures })))

const most = 100

/** What can be done with the rows that are selected; stands at the foot of the list while there are any. */
export function BulkBar({
  actions,
  selected,
  onClear,
  nameOf,
  versionOf,
}: {
  actions: readonly BulkAction[]
  selected: Record<string, boolean>
  onClear: () => void
  nameOf: (guid: string) => string
  /** The version of a row as it was shown. */
  versionOf: (guid: string) => number
}) {
  const t = useT('common')
  const text = useErrorText()
  const send = useRun()
  const go = useGo()
  const [asked, setAsked] = useState<BulkDeed | null>(null)
  /** Those a form was opened for, as they were shown. */
  const [rows, setRows] = useState<BulkFormProps['rows']>([])
  const [busy, setBusy] = useState<string | null>(null)
  const [failed, setFailed] = useState<BulkResult['results']>([])
  const guids = Object.keys(selected).filter((key) => selected[key])
  const start = (action: BulkAction) => {
    if ('to' in action) return void go(action.to(guids))
    if (action.form) setRows(guids.map((guid) => ({ guid, version: versionOf(guid) })))
    if (action.form || action.confirm) setAsked(action)
    else void run(action).catch((error: unknown) => toast.error(text(error)))
  }
  const isTooMany = guids.length > most
  // By keyboard the bar is as far away as the list is long.
  usePageActions(
    actions.map((action) => ({
      label: action.label,
      icon: action.icon,
      onClick: () => start(action),
      isOffered: guids.length > 0 && !isTooMany && busy === null,
    })),
  )
  const finish = ({ op, said, undo }: BulkDeed, { results }: BulkResult) => {
    const done = results.filter((result) => result.ok).map((result) => result.guid)
    setFailed(results.filter((result) => !result.ok))
    onClear()
    if (!done.length) return
    const message = said(done.length)
    if (!undo) return toast.success(message)
    const takeBack = () =>
      void send(op, { action: undo, guids: done }).then(
        () => toast.success(t('common:bulk.undone')),
        (error: unknown) => toast.error(text(error)),
      )
    return toastWithAction(message, t('common:undo'), takeBack)
  }
  const run = async (action: BulkDeed) => {
    setBusy(action.key)
    try {
      void finish(action, await send(action.op, { action: action.key, guids }))
    } finally {
      setBusy(null)
    }
  }
  return (
    <>
      {guids.length ? (
        <section className="bulk-bar no-print" aria-label={t('common:bulk.label')}>
          <span className="strong" aria-live="polite">
            {t('common:bulk.selected', { count: guids.length })}
          </span>
          {isTooMany ? <span className="muted small">{t('common:bulk.tooMany', { count: most })}</span> : null}
          <div className="row">
            {actions.map((action) => (
              <Button
                key={action.key}
                size="sm"
                variant="default"
                leftSection={<Icon name={action.icon} size={16} />}
                loading={busy === action.key}
                disabled={isTooMany || (busy !== null && busy !== action.key)}
                onClick={() => start(action)}
              >
                {action.label}
              </Button>
            ))}
            <Button size="sm" variant="subtle" onClick={onClear}>
              {t('common:bulk.clear')}
            </Button>
          </div>
        </section>
      ) : null}
      {asked?.confirm ? (
        <ConfirmDialog
          isOpen
          onClose={() => setAsked(null)}
          title={asked.confirm.title(guids.length)}
          confirmLabel={asked.label}
          isDangerous={asked.isDangerous ?? false}
          onConfirm={() => run(asked)}
        >
          {asked.confirm.text}
        </ConfirmDialog>
      ) : null}
      {asked?.form ? (
        <Suspense>
          {asked.form({
            rows,
            onClose: () => setAsked(null),
            onDone: (result) => {
              setAsked(null)
              void finish(asked, result)
            },
          })}
        </Suspense>
      ) : null}
      {failed.length ? (
        <Suspense>
          <BulkFailures failed={failed} nameOf={nameOf} onClose={() => setFailed([])} />
        </Suspense>
      ) : null}
    </>
  )
}

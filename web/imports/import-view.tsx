import { useState } from 'react'
import { type CustomerImport, importsApi } from '../../contract/imports.ts'
import { pathOf, pathTo } from '../../contract/nouns.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import type { Answer } from '../core/api/types.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { ImportSteps } from './import-steps.tsx'

const askEveryMs = 1000
const isRunning = ({ status }: CustomerImport) => status === 'staging' || status === 'applying'

/** One import: how far it is, how it ended, and the way back. */
export function ImportView({ guid }: { guid: string }) {
  const [hasEnded, setEnded] = useState(false)
  const read = useRead(importsApi.get, { guid }, hasEnded ? {} : { refetchInterval: askEveryMs })
  const found = read.data?.import
  if (found && !isRunning(found) && !hasEnded) setEnded(true)
  return (
    <section className="card">
      <ImportSteps now="done" />
      <div className="card-body stack">
        <Loaded of={read}>{(answer) => <Outcome found={answer.import} />}</Loaded>
      </div>
    </section>
  )
}

function Outcome({ found }: { found: CustomerImport }) {
  const t = useT('imports', 'customers')
  const f = useFormat()
  const { status, total, created, filled, skipped, archived } = found
  const [undone, setUndone] = useState<Answer<typeof importsApi.undo> | null>(null)
  if (isRunning(found)) return <Progress found={found} />
  const title =
    status === 'done'
      ? t('imports:done.created', { count: created })
      : status === 'undone'
        ? t('imports:done.undone')
        : status === 'failed'
          ? t('imports:done.failed')
          : t('imports:done.stopped')
  return (
    <>
      <div className="row spread">
        <div role="status">
          <h2 className="card-title">{title}</h2>
        </div>
        <StatusChip status={status} ns="imports" />
      </div>
      {found.failure === null ? null : <p className="import-problem">{inLanguage(found.failure)}</p>}
      <KeyValueList
        items={[
          { label: t('imports:history.file'), value: <bdi>{found.fileName}</bdi> },
          { label: t('imports:check.rows'), value: f.number(total) },
          ...(status === 'done' || status === 'undone'
            ? [
                {
                  label: t(status === 'undone' ? 'imports:history.imported' : 'imports:history.created'),
                  value: f.number(created),
                },
                ...(archived === null
                  ? []
                  : [
                      { label: t('imports:history.archived'), value: f.number(archived) },
                      { label: t('imports:history.kept'), value: f.number(created - archived) },
                    ]),
                { label: t('imports:history.filled'), value: f.number(filled) },
                { label: t('imports:history.skipped'), value: f.number(skipped) },
              ]
            : []),
        ]}
      />
      {undone && undone.keptCount > 0 ? <Kept undone={undone} /> : null}
      <div className="row">
        <AppLink to={pathTo('Customers')} className="button-link">
          {t('imports:done.customers')}
        </AppLink>
        <AppLink to={pathOf('Imports', 'import')} className="button-link quiet">
          {t(status === 'failed' || status === 'stopped' ? 'imports:done.again' : 'imports:done.another')}
        </AppLink>
        {status === 'done' ? <UndoButton found={found} onDone={setUndone} /> : null}
      </div>
    </>
  )
}

function Progress({ found }: { found: CustomerImport }) {
  const t = useT('imports')
  const f = useFormat()
  const text = useErrorText()
  const stop = useWrite(importsApi.stop, { onError: (error) => toast.error(text(error)) })
  const { guid, status, total, staged } = found
  const words = t('imports:done.progress', { done: f.number(staged), total: f.number(total) })
  return (
    <>
      <div className="row spread">
        <div role="status">
          <h2 className="card-title">
            {status === 'staging' ? t('imports:done.staging') : t('imports:done.applying')}
          </h2>
        </div>
        <span className="muted tabular">{words}</span>
      </div>
      <progress className="import-bar" max={total} value={staged} aria-label={words} />
      <div className="row spread">
        <p className="muted">{t('imports:done.leave')}</p>
        <ActionButton variant="default" icon="stop" loading={stop.isPending} onClick={() => stop.mutate({ guid })}>
          {t('imports:done.stop')}
        </ActionButton>
      </div>
    </>
  )
}

function UndoButton({
  found,
  onDone,
}: {
  found: CustomerImport
  onDone: (answer: Answer<typeof importsApi.undo>) => void
}) {
  const t = useT('imports')
  const [isAsked, ask] = useState(false)
  const undo = useWrite(importsApi.undo)
  return (
    <>
      <ActionButton variant="default" icon="undo" onClick={() => ask(true)}>
        {t('imports:done.undo')}
      </ActionButton>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => ask(false)}
        title={t('imports:done.undoTitle')}
        confirmLabel={t('imports:done.undo')}
        isDangerous
        onConfirm={async () => {
          const answer = await undo.mutateAsync({ guid: found.guid })
          toast.success(t('imports:done.undoneToast', { count: answer.archived }))
          onDone(answer)
        }}
      >
        <p>{t('imports:done.undoText')}</p>
      </ConfirmDialog>
    </>
  )
}

function Kept({ undone }: { undone: Answer<typeof importsApi.undo> }) {
  const t = useT('imports')
  return (
    <section className="stack">
      <h3 className="import-kept">{t('imports:done.kept', { count: undone.keptCount })}</h3>
      <ul className="import-kept-list">
        {undone.kept.map(({ guid, displayName, reason }) => (
          <li key={guid}>
            <AppLink to={pathTo('Customers', guid)}>{displayName}</AppLink>
            <span className="muted">{t(`imports:done.reasons.${reason}`)}</span>
          </li>
        ))}
      </ul>
      {undone.keptCount > undone.kept.length ? <p className="muted">{t('imports:done.firstKept')}</p> : null}
    </section>
  )
}

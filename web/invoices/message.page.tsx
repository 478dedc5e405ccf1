import { Alert, Button, Progress } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import './message.css'
import { batchesApi } from '../../contract/batches.ts'
import { pathOf } from '../../contract/nouns.ts'
import { useRead } from '../core/api/hooks.ts'
import type { Answer } from '../core/api/types.ts'
import { useWholeErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { Loaded, LoadingLines } from '../core/ui/states.tsx'
import { BatchRows } from './batch-rows.tsx'
import { PickInvoices } from './pick-invoices.tsx'
import { type Held, isJustEmailed, useBatch } from './use-batch.ts'

type Opened = Answer<typeof batchesApi.open>

/** Messages about many invoices: chosen, looked at one by one, and sent while the page is open. */
export function Page() {
  const t = useT('mailing', 'invoices', 'common')
  // What was begun is read when the page is opened; from then on the page knows what it does.
  const [round, setRound] = useState(0)
  const [isHeld, setHeld] = useState(false)
  const read = useRead(batchesApi.open, {}, { staleTime: 0, enabled: !isHeld })
  if (read.data && !read.isFetching && !isHeld) setHeld(true)
  const again = async () => {
    await read.refetch()
    setRound(round + 1)
  }
  return (
    <>
      <PageHeader
        title={t('mailing:bulk.title')}
        subtitle={t('mailing:bulk.subtitle')}
        crumbs={[{ to: pathOf('Invoices', 'list'), label: t('invoices:list.title') }]}
      />
      <Loaded of={read}>
        {(opened) => (isHeld ? <Sending key={round} opened={opened} onAgain={() => void again()} /> : <LoadingLines />)}
      </Loaded>
    </>
  )
}

function Sending({ opened, onAgain }: { opened: Opened; onAgain: () => void }) {
  const go = useGo()
  const { guids } = useSearch({ strict: false }) as { guids?: string }
  const asked = guids?.split(',').filter(Boolean) ?? []
  const sending = useBatch(opened.batch ? { batch: opened.batch, items: opened.items } : null)
  const { held, begin } = sending
  const [isOld] = useState(opened.batch !== null && opened.batch.done > 0)
  const takeAsked = async () => {
    // The address is done with: whoever comes back finds what was begun.
    await go(pathOf('Invoices', 'message'), { isReplacing: true })
    if (!isOld) await begin(asked)
  }
  useEffect(() => {
    if (asked.length) void takeAsked()
    // oxlint-disable-next-line react/exhaustive-deps -- what the list chose is taken once
  }, [])
  if (!held) return <PickInvoices error={sending.error} isBusy={sending.isBusy} onPick={begin} />
  return <Row held={held} sending={sending} templates={opened.templates} isOld={isOld} onAgain={onAgain} />
}

function Row({
  held: { batch, items },
  sending,
  templates,
  isOld,
  onAgain,
}: {
  held: Held
  sending: ReturnType<typeof useBatch>
  templates: Opened['templates']
  isOld: boolean
  onAgain: () => void
}) {
  const t = useT('mailing', 'common')
  const text = useWholeErrorText()
  const { isRunning, isBusy, error, chosen, setChosen, run, stop, finish, dress } = sending
  const tried = batch.done + batch.failed
  const isOver = batch.state === 'finished'
  const isFresh = tried === 0 && !isOver
  const standard = templates.find((template) => template.isDefault)
  const count = isFresh ? chosen.size : batch.remaining
  const [isAsking, setAsking] = useState(false)
  const addressees = new Set(
    items.filter(({ invoiceGuid }) => chosen.has(invoiceGuid)).map(({ customerName }) => customerName),
  )
  const leftOut =
    isFresh && !isRunning ? items.filter((item) => isJustEmailed(item) && !chosen.has(item.invoiceGuid)) : []
  const sum = t('mailing:bulk.progress', { done: batch.done, total: batch.done + batch.failed + batch.remaining })
  return (
    <div className="stack">
      {isOld && !isFresh && !isOver && !isRunning ? <Alert variant="light">{t('mailing:bulk.begun')}</Alert> : null}
      {error ? (
        <Alert color="red" variant="light" role="alert">
          {text(error)}
        </Alert>
      ) : null}
      <Card>
        <div className="row spread batch-head">
          {isFresh ? (
            <ChoiceInput
              label={t('mailing:bulk.template')}
              data={templates.map(({ guid, name }) => ({ value: guid, label: name }))}
              value={batch.templateGuid ?? standard?.guid ?? null}
              disabled={isBusy || templates.length === 0}
              onChange={(templateGuid) => void dress(templateGuid)}
            />
          ) : (
            <div className="batch-progress">
              <span className="strong" role="status">
                {isOver
                  ? t('mailing:bulk.finished', { done: batch.done, failed: batch.failed, skipped: batch.skipped })
                  : sum}
              </span>
              <Progress value={(100 * tried) / Math.max(1, tried + batch.remaining)} aria-label={sum} />
            </div>
          )}
          <div className="row">
            {isRunning || isOver ? null : (
              <Button variant="default" disabled={isBusy} onClick={() => void finish()}>
                {t(isFresh ? 'common:cancel' : 'mailing:bulk.skip')}
              </Button>
            )}
            {/* What goes on and what stops it are one button: whoever pressed it still has it. */}
            {isOver ? (
              <Button key="go" variant="default" onClick={onAgain}>
                {t('mailing:bulk.again')}
              </Button>
            ) : isRunning ? (
              <Button key="go" color="red" onClick={stop}>
                {t('mailing:bulk.stop')}
              </Button>
            ) : (
              <Button
                key="go"
                loading={isBusy}
                disabled={count === 0}
                onClick={() => (isFresh ? setAsking(true) : void run())}
              >
                {t(isFresh ? 'mailing:bulk.send' : 'mailing:bulk.continue', { count })}
              </Button>
            )}
          </div>
        </div>
      </Card>
      {leftOut.length > 0 ? (
        <div className="row spread" role="status">
          <span>{t('mailing:bulk.leftOut', { count: leftOut.length })}</span>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => setChosen(new Set([...chosen, ...leftOut.map(({ invoiceGuid }) => invoiceGuid)]))}
          >
            {t('mailing:bulk.chooseToo', { count: leftOut.length })}
          </Button>
        </div>
      ) : null}
      <Card isFlush>
        <BatchRows
          items={items}
          templateGuid={batch.templateGuid}
          chosen={isFresh && !isRunning ? chosen : null}
          onChoose={setChosen}
        />
      </Card>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('mailing:bulk.ask', {
          messages: t('mailing:bulk.askMessages', { count }),
          customers: t('mailing:bulk.askCustomers', { count: addressees.size }),
        })}
        confirmLabel={t('mailing:bulk.askAction')}
        // Sending goes on while the page is looked at: the question does not wait for it.
        onConfirm={() => void run()}
      />
    </div>
  )
}

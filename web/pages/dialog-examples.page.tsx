import './catalogue.css'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { Peek } from '../core/ui/peek.tsx'
import { StaleDialog } from '../core/ui/stale-dialog.tsx'
import { toast, toastWithAction } from '../core/ui/toast.tsx'
import { openOverlay } from '../core/layout/overlays.ts'

const examples = ['question', 'dangerous', 'reason', 'peek', 'stale'] as const
type Example = (typeof examples)[number]
const kinds = ['success', 'error', 'warning', 'info', 'default'] as const

export function Page() {
  const t = useT('catalogue', 'shell')
  const [open, setOpen] = useState<Example | null>(null)
  const [count, setCount] = useState(0)
  const say = (kind: (typeof kinds)[number]) => {
    setCount(count + 1)
    toast[kind](t(`catalogue:toast.${kind}`, { number: count + 1 }))
  }
  return (
    <>
      <PageHeader title={t('catalogue:dialogs.title')} subtitle={t('catalogue:dialogs.subtitle')} />
      <div className="grid-2 catalogue">
        {examples.map((example) => (
          <Card key={example} title={t(`catalogue:dialogs.${example}`)}>
            <p>{t(`catalogue:dialogs.${example}Text`)}</p>
            <Button variant={example === 'dangerous' ? 'default' : 'light'} onClick={() => setOpen(example)}>
              {t('catalogue:dialogs.show')}
            </Button>
          </Card>
        ))}
        <Card title={t('catalogue:dialogs.palette')}>
          <p>{t('catalogue:dialogs.paletteText')}</p>
          <div className="row">
            <Button
              variant="light"
              leftSection={<Icon name="search" size={18} />}
              onClick={() => openOverlay('palette')}
            >
              {t('shell:search')}
            </Button>
            <Button variant="default" onClick={() => openOverlay('shortcuts')}>
              {t('shell:shortcuts')}
            </Button>
          </div>
        </Card>
        <Card title={t('catalogue:toast.title')}>
          <p>{t('catalogue:toast.text')}</p>
          <div className="row">
            {kinds.map((kind) => (
              <Button key={kind} variant="default" onClick={() => say(kind)}>
                {t(`catalogue:toast.kind.${kind}`)}
              </Button>
            ))}
            <Button
              variant="default"
              onClick={() =>
                void toastWithAction(t('catalogue:toast.undoable'), t('common:undo'), () =>
                  toast.info(t('catalogue:toast.undone')),
                )
              }
            >
              {t('catalogue:toast.kind.action')}
            </Button>
          </div>
        </Card>
      </div>
      <Dialogs open={open} onClose={() => setOpen(null)} />
    </>
  )
}

function Dialogs({ open, onClose }: { open: Example | null; onClose: () => void }) {
  const t = useT('catalogue', 'common')
  const confirm = (reason?: string) =>
    toast.success(reason ? t('catalogue:dialogs.doneBecause', { reason }) : t('catalogue:dialogs.done'))
  return (
    <>
      <ConfirmDialog
        isOpen={open === 'question'}
        onClose={onClose}
        title={t('catalogue:dialogs.question')}
        confirmLabel={t('catalogue:dialogs.yes')}
        onConfirm={() => confirm()}
      >
        {t('catalogue:dialogs.questionBody')}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={open === 'dangerous'}
        onClose={onClose}
        title={t('catalogue:dialogs.dangerous')}
        confirmLabel={t('catalogue:dialogs.archive')}
        isDangerous
        onConfirm={() => confirm()}
      >
        {t('catalogue:dialogs.dangerousBody')}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={open === 'reason'}
        onClose={onClose}
        title={t('catalogue:dialogs.reason')}
        confirmLabel={t('catalogue:dialogs.yes')}
        reasonLabel={t('catalogue:dialogs.why')}
        onConfirm={confirm}
      >
        {t('catalogue:dialogs.reasonBody')}
      </ConfirmDialog>
      <Peek
        isOpen={open === 'peek'}
        onClose={onClose}
        title={t('catalogue:dialogs.peek')}
        actions={<Button onClick={onClose}>{t('common:close')}</Button>}
      >
        <KeyValueList
          items={[
            { label: t('catalogue:dialogs.who'), value: t('catalogue:person.office') },
            { label: t('catalogue:dialogs.what'), value: t('catalogue:event.sent') },
          ]}
        />
      </Peek>
      <StaleDialog
        isOpen={open === 'stale'}
        rows={[
          {
            label: t('catalogue:dialogs.who'),
            mine: t('catalogue:person.office'),
            theirs: t('catalogue:person.crew'),
            isDifferent: true,
          },
        ]}
        onKeepMine={onClose}
        onTakeTheirs={onClose}
        onClose={onClose}
      />
    </>
  )
}

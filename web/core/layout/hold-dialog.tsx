import { Checkbox, Radio } from '@mantine/core'
import { useState } from 'react'
import { maintenanceApi } from '../../../contract/maintenance.ts'
import type { Output } from '../../../contract/core/op.ts'
import { pathOf } from '../../../contract/nouns.ts'
import { useRead, useWrite } from '../api/hooks.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useFormat } from '../i18n/format.ts'
import { useT } from '../i18n/i18n.ts'
import { DialogForm } from '../ui/confirm-form.tsx'
import { AppLink } from '../ui/link.tsx'
import { toast } from '../ui/toast.tsx'
import { closeOverlay } from './overlays.ts'

type Hold = NonNullable<Output<typeof maintenanceApi.hold>['hold']>

/** Lets mails and card payments go on after a backup was restored. */
export function HoldDialog() {
  const read = useRead(maintenanceApi.hold, {}, { staleTime: 0, refetchInterval: 10_000 })
  return read.data?.hold ? <Form hold={read.data.hold} /> : null
}

function Form({ hold }: { hold: Hold }) {
  const t = useT('shell')
  const f = useFormat()
  const text = useErrorText()
  const [mails, setMails] = useState<'send' | 'cancel'>('cancel')
  const [withoutProvider, setWithoutProvider] = useState(false)
  const release = useWrite(maintenanceApi.release, {
    onSuccess: () => {
      toast.success(t('shell:hold.done'))
      closeOverlay()
    },
  })
  return (
    <DialogForm
      isOpen
      title={t('shell:hold.title')}
      action={t('shell:hold.resume')}
      onSubmit={() => release.mutate({ mails, withoutProvider })}
      onClose={closeOverlay}
      isBusy={release.isPending}
      isBlocked={!hold.isProviderAsked && !withoutProvider}
      problem={release.error ? text(release.error) : null}
    >
      <p className="no-margin">{t('shell:hold.explained', { madeAt: f.dateTime(hold.madeAt), report: hold.report })}</p>
      {hold.isProviderAsked ? (
        <p className="no-margin">
          {hold.unknownCharges === 0
            ? t('shell:hold.allKnown')
            : t('shell:hold.unknown', { number: f.number(hold.unknownCharges) })}{' '}
          {hold.unknownCharges > 0 ? (
            <AppLink to={pathOf('Payments', 'check')} onClick={closeOverlay}>
              {t('shell:hold.check')}
            </AppLink>
          ) : null}
        </p>
      ) : (
        <>
          <p className="no-margin">{t('shell:hold.asking')}</p>
          <Checkbox
            label={t('shell:hold.without')}
            checked={withoutProvider}
            onChange={(event) => setWithoutProvider(event.currentTarget.checked)}
          />
        </>
      )}
      {hold.waitingMails > 0 ? (
        <Radio.Group
          label={t('shell:hold.mails', { number: f.number(hold.waitingMails) })}
          value={mails}
          onChange={(value) => setMails(value === 'send' ? 'send' : 'cancel')}
        >
          <div className="stack">
            <Radio value="cancel" label={t('shell:hold.cancel')} />
            <Radio value="send" label={t('shell:hold.send')} />
          </div>
        </Radio.Group>
      ) : null}
    </DialogForm>
  )
}

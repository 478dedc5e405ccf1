import { Button } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { email } from '../../contract/core/common.ts'
import { emailAccountsApi, type EmailAccount, type TestStep } from '../../contract/email-accounts.ts'
import { asApiError } from '../core/api/error.ts'
import { applyServerErrors } from '../core/api/forms.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { beginAtField } from '../core/ui/dialog-start.ts'
import { Dialog, DialogActions } from '../core/ui/dialog.tsx'
import { TextField } from '../core/ui/fields.tsx'
import { FormError } from '../core/ui/form-card.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import './email-accounts.css'

/** How often it is asked how far a test is. */
const oftenMs = 400

const asked = z.strictObject({ sendTo: email.nullish() })

/** Tries an account, and shows of each step what the server answered. One at an example server has nobody to ask. */
export function TestDialog({ account, onClose }: { account: EmailAccount; onClose: () => void }) {
  const t = useT('emails')
  if (!account.isSample) return <Trying account={account} onClose={onClose} />
  return (
    <Dialog onClose={onClose} title={t('emails:test.title', { name: account.fromAddress })}>
      <p className="no-margin">{t('emails:test.sample', { host: account.smtp.host })}</p>
      <DialogActions>
        <Button onClick={onClose}>{t('emails:test.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}

function Trying({ account, onClose }: { account: EmailAccount; onClose: () => void }) {
  const t = useT('emails', 'record')
  const test = useWrite(emailAccountsApi.test)
  const [run, setRun] = useState('')
  const { guid } = account
  const testing = useRead(
    emailAccountsApi.testing,
    { guid, run },
    { enabled: test.isPending, refetchInterval: oftenMs, isAsideWhenOff: true },
  )
  const form = useSchemaForm<{ sendTo: string }, z.output<typeof asked>>(asked, { sendTo: '' })
  const begin = form.handleSubmit(async ({ sendTo }) => {
    const named = crypto.randomUUID()
    setRun(named)
    try {
      await test.mutateAsync({ guid, run: named, ...(sendTo ? { sendTo } : {}) })
    } catch (failure) {
      applyServerErrors(asApiError(failure), form.setError, (path) => path === 'sendTo')
    }
  })
  const steps = test.isPending ? testing.data?.steps : test.data?.steps
  return (
    <Dialog isBusy={test.isPending} onClose={onClose} title={t('emails:test.title', { name: account.fromAddress })}>
      <form ref={beginAtField} noValidate className="stack" onSubmit={(event) => void begin(event)}>
        <FormError control={form.control} />
        <TextField
          control={form.control}
          name="sendTo"
          type="email"
          inputMode="email"
          label={t('emails:test.sendTo')}
          description={t('emails:test.sendToHint')}
        />
        <div aria-live="polite" className="stack">
          {steps ? <Steps steps={steps} /> : null}
          {test.isPending ? <p className="muted no-margin">{t('emails:test.running')}</p> : null}
        </div>
        <DialogActions>
          <Button variant="default" onClick={onClose} disabled={test.isPending}>
            {t('emails:test.close')}
          </Button>
          <Button type="submit" loading={test.isPending}>
            {t(test.data ? 'emails:test.again' : 'emails:test.run')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Steps({ steps }: { steps: readonly TestStep[] }) {
  const t = useT('emails')
  const f = useFormat()
  return (
    <ol className="test-steps">
      {steps.map(({ step, ok, ms, said }) => (
        <li key={step}>
          <StatusChip
            status={ok ? 'succeeded' : 'failed'}
            tone={ok ? 'success' : 'error'}
            label={t(ok ? 'emails:test.ok' : 'emails:test.failed')}
          />
          <span className="strong">{t(`emails:step.${step}`)}</span>
          <span className="muted small nowrap">{t('emails:test.ms', { ms: f.number(ms) })}</span>
          {said ? (
            <bdi className="test-said small" dir="auto">
              {inLanguage(said)}
            </bdi>
          ) : null}
        </li>
      ))}
    </ol>
  )
}

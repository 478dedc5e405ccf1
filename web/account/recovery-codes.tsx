import { Alert, Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { appTitle } from '../core/config.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { toast } from '../core/ui/toast.tsx'

function saveText(text: string, name: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** The recovery codes, this once: to be kept before one goes on. */
export function RecoveryCodes({
  codes,
  login,
  onDone,
}: {
  codes: readonly string[]
  login: string
  onDone: () => void
}) {
  const t = useT('account', 'common')
  const f = useFormat()
  const [isKept, setKept] = useState(false)
  const text = () =>
    [
      t('account:recovery.fileTitle', { app: appTitle, login, at: f.dateTime(new Date().toISOString()) }),
      '',
      ...codes,
      '',
      t('account:recovery.text'),
    ].join('\r\n')
  const copy = async () => {
    await navigator.clipboard.writeText(codes.join('\n'))
    toast.success(t('account:recovery.copied'))
  }
  return (
    <div className="stack">
      <Alert variant="light" color="yellow" title={t('account:recovery.title')}>
        {t('account:recovery.text')}
      </Alert>
      <ul className="recovery-codes" aria-label={t('account:recovery.title')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row no-print">
        <Button
          variant="default"
          leftSection={<Icon name="download" size={18} />}
          onClick={() => saveText(text(), 'recovery-codes.txt')}
        >
          {t('account:recovery.download')}
        </Button>
        <Button variant="default" leftSection={<Icon name="copy" size={18} />} onClick={() => void copy()}>
          {t('account:recovery.copy')}
        </Button>
        <Button variant="default" leftSection={<Icon name="print" size={18} />} onClick={() => globalThis.print()}>
          {t('common:print')}
        </Button>
      </div>
      <Checkbox
        label={t('account:recovery.kept')}
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <div className="row form-actions">
        <Button disabled={!isKept} onClick={onDone}>
          {t('account:recovery.done')}
        </Button>
      </div>
    </div>
  )
}

import { Button } from '@mantine/core'
import { maintenanceApi, type StoredFiles } from '../../../contract/maintenance.ts'
import { queryClient, readKey, useRead, useWrite } from '../api/hooks.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useFormat } from '../i18n/format.ts'
import { useT } from '../i18n/i18n.ts'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Loaded } from '../ui/states.tsx'
import { toast } from '../ui/toast.tsx'
import { closeOverlay } from './overlays.ts'
import './stored-files-dialog.css'

/** What operators know of the store of files: what waits for its check, what is gone or damaged. */
export function StoredFilesDialog() {
  const t = useT('shell')
  const read = useRead(maintenanceApi.files, {}, { staleTime: 0 })
  return (
    <Dialog onClose={closeOverlay} title={t('shell:storedFiles.title')}>
      <Loaded of={read} lines={4}>
        {({ files }) => <Found files={files} />}
      </Loaded>
    </Dialog>
  )
}

function Found({ files: { waiting, waitingSince, damaged } }: { files: StoredFiles }) {
  const t = useT('shell', 'common')
  const f = useFormat()
  const text = useErrorText()
  const check = useWrite(maintenanceApi.checkFiles, {
    onSuccess: (said) => {
      queryClient.setQueryData(readKey(maintenanceApi.files, {}), said)
      if (said.files.damaged.length > 0) return
      toast.success(t('shell:storedFiles.mended'))
      closeOverlay()
    },
  })
  return (
    <div className="stack">
      {waiting > 0 && waitingSince ? (
        <p className="no-margin">
          {t('shell:storedFiles.waiting', { number: f.number(waiting), since: f.dateTime(waitingSince) })}
        </p>
      ) : null}
      <p className="no-margin">
        {damaged.length > 0 ? t('shell:storedFiles.explained') : t('shell:storedFiles.allWhole')}
      </p>
      {damaged.length > 0 ? (
        <ul className="stored-files">
          {damaged.map(({ sha256, name, seenAt }) => (
            <li key={sha256}>
              <bdi>{name ?? t('shell:storedFiles.other')}</bdi>
              <span className="small muted">{t('shell:storedFiles.seen', { time: f.dateTime(seenAt) })}</span>
              <code className="small" dir="ltr">
                {sha256}
              </code>
            </li>
          ))}
        </ul>
      ) : null}
      {check.error ? (
        <p role="alert" className="field-error">
          {text(check.error)}
        </p>
      ) : null}
      <DialogActions>
        <Button variant="default" onClick={closeOverlay}>
          {t('common:close')}
        </Button>
        {damaged.length > 0 ? (
          <Button loading={check.isPending} onClick={() => check.mutate({})}>
            {t('shell:storedFiles.check')}
          </Button>
        ) : null}
      </DialogActions>
    </div>
  )
}

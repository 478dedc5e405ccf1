import { Button, Progress } from '@mantine/core'
import { useWholeErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { FileIcon } from './file-icon.tsx'
import { mayTryAgain, type Sending, type Uploads } from './uploads.ts'

/** Files on their way: how far each is, and what can be done about it. */
export function UploadRows({ sending, uploads }: { sending: readonly Sending[]; uploads: Uploads }) {
  const t = useT('files')
  if (sending.length === 0) return null
  return (
    <ul className="file-rows" aria-label={t('files:uploads')}>
      {sending.map((row) => (
        <UploadRow key={row.key} row={row} uploads={uploads} />
      ))}
    </ul>
  )
}

function UploadRow({ row, uploads }: { row: Sending; uploads: Uploads }) {
  const t = useT('files', 'common')
  const format = useFormat()
  const text = useWholeErrorText()
  const { key, name, share, state, error } = row
  const hasFailed = state === 'failed'
  const percent = format.percent(Math.round(share * 100) * 100)
  return (
    <li className="file-row">
      <FileIcon name={name} />
      <div className="file-row-text">
        <span>{name}</span>
        {hasFailed ? (
          <span className="small file-bad" role="alert">
            {text(error)}
          </span>
        ) : (
          <span className="small muted tabular">{percent}</span>
        )}
      </div>
      <div className="file-row-tools">
        {hasFailed && mayTryAgain(error) ? (
          <Button
            size="compact-sm"
            variant="light"
            aria-label={t('files:retryFile', { name })}
            onClick={() => uploads.retry(key)}
          >
            {t('common:retry')}
          </Button>
        ) : null}
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t(hasFailed ? 'files:removeFile' : 'files:stopFile', { name })}
          onClick={() => uploads.stop(key)}
        >
          {t(hasFailed ? 'files:remove' : 'files:stop')}
        </Button>
      </div>
      {hasFailed ? null : (
        <Progress
          className="file-progress"
          size="sm"
          value={share * 100}
          aria-label={t('files:progress', { name, percent })}
        />
      )}
    </li>
  )
}

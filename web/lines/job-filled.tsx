import { useLanguage, useT } from '../core/i18n/i18n.ts'
import type { Filled } from './job-defaults.ts'

interface JobFilledProps {
  filled: Filled
  onUndo: () => void
}

/** What the kind of job brought, and the way back. */
export function JobFilled({ filled, onUndo }: JobFilledProps) {
  const t = useT('lines')
  const language = useLanguage()
  const { texts, lines, missing, name } = filled
  const parts = [
    ...(lines.length > 0 ? [t('lines:job.lines', { count: lines.length })] : []),
    ...(texts.depositRule ? [t('lines:job.deposit')] : []),
    ...(texts.title ? [t('lines:job.title')] : []),
    ...(texts.intro ? [t('lines:job.intro')] : []),
  ]
  const listed = (items: readonly string[]) => new Intl.ListFormat(language, { type: 'conjunction' }).format(items)
  return (
    <div className="job-filled small" role="status">
      {parts.length > 0 ? (
        <p className="no-margin">
          {t('lines:job.filled', { name, parts: listed(parts) })}{' '}
          <button type="button" className="link" onClick={onUndo}>
            {t('lines:job.undo')}
          </button>
        </p>
      ) : (
        <p className="muted no-margin">{t('lines:job.nothing', { name })}</p>
      )}
      {missing.length > 0 ? (
        <p className="muted no-margin">{t('lines:job.missing', { names: listed(missing) })}</p>
      ) : null}
    </div>
  )
}

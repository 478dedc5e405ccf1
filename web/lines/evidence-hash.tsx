import { useT } from '../core/i18n/i18n.ts'
import './changed-lines.css'

/** The hash that the evidence had when a change was agreed: it proves the file. */
export function EvidenceHash({ sha256 }: { sha256: string }) {
  const t = useT('changes')
  return (
    <span className="evidence-hash muted small">
      {t('changes:evidence.hash')} <code dir="ltr">{sha256}</code>
    </span>
  )
}

import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { toast } from '../core/ui/toast.tsx'

/** The customer's own page of this document. */
export function ServiceLinkCard({ url, seen }: { url: string; seen: string | null }) {
  const t = useT('lines')
  const copy = async () => {
    await navigator.clipboard.writeText(url)
    toast.success(t('lines:linkCopied'))
  }
  return (
    <Card title={t('lines:customersPage')}>
      <div className="stack" style={{ '--gap': '0.75rem' } as React.CSSProperties}>
        {seen === '' ? null : <p className="muted no-margin">{seen ?? t('lines:notSeen')}</p>}
        <div className="row">
          <ActionButton variant="light" icon="copy" size="sm" onClick={() => void copy()}>
            {t('lines:copyLink')}
          </ActionButton>
          <a className="link" href={url} target="_blank" rel="noreferrer">
            {t('lines:openLink')}
          </a>
        </div>
      </div>
    </Card>
  )
}

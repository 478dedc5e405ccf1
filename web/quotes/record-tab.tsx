import { useState } from 'react'
import type { Frame } from '../../contract/negotiation.ts'
import { quotesApi, type Quote } from '../../contract/quotes.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { EvidenceCheck } from './evidence-check.tsx'
import './negotiation.css'

const FrameDialog = whenOpen(() => import('./frame-dialog.tsx').then((module) => module.FrameDialog))

/** What each side had before the eyes, and the file that proves it. */
export function RecordTab({ quote }: { quote: Quote }) {
  const t = useT('quotes')
  const read = useRead(quotesApi.frames, { guid: quote.guid })
  const [opened, setOpened] = useState<Frame | null>(null)
  return (
    <div className="stack cards">
      <Card
        title={t('quotes:record.title')}
        actions={
          quote.number ? (
            <DownloadButton op={quotesApi.evidence} input={{ guid: quote.guid }} size="sm">
              {t('quotes:record.download')}
            </DownloadButton>
          ) : null
        }
      >
        <p className="muted small">{t('quotes:record.hint')}</p>
        <Loaded of={read}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="muted no-margin">{t('quotes:record.none')}</p>
            ) : (
              <ol className="frames">
                {items.map((frame) => (
                  <li key={frame.guid}>
                    <button type="button" className="frame" onClick={() => setOpened(frame)}>
                      <span className="frame-what">
                        <span className="strong">{t(`quotes:record.reasons.${frame.reason}`)}</span>
                        <span className="muted"> · R{frame.revision}</span>
                      </span>
                      <span className="muted small">
                        {frame.by ? `${frame.by} · ` : ''}
                        <DateText value={frame.at} as="dateTime" />
                      </span>
                      <span className="muted small frame-print">
                        {t('quotes:record.hash')}{' '}
                        <code className="frame-hash" dir="ltr">
                          {frame.sha256.slice(0, 12)}
                        </code>
                      </span>
                    </button>
                  </li>
                ))}
              </ol>
            )
          }
        </Loaded>
      </Card>
      <Loaded of={read}>
        {({ items }) => (
          <EvidenceCheck
            recorded={items.map(({ chainSha256 }) => chainSha256)}
            acceptedSha256={quote.acceptance?.evidenceSha256 ?? null}
          />
        )}
      </Loaded>
      {opened ? <FrameDialog quote={quote} frame={opened} onClose={() => setOpened(null)} /> : null}
    </div>
  )
}

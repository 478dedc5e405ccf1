import { useRef, useState, type DragEvent } from 'react'
import { Button } from '@mantine/core'
import { verifyEvidence } from '../../contract/evidence.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DocumentBanner } from '../lines/document-banner.tsx'

type Proof = Awaited<ReturnType<typeof verifyEvidence>>

/** Hashes in the browser: the file is sent nowhere. */
async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function proofOf(file: File): Promise<Proof> {
  try {
    return await verifyEvidence(JSON.parse(await file.text()), sha256)
  } catch {
    return { problem: 'notEvidence', position: null, lastSha256: null }
  }
}

interface EvidenceCheckProps {
  /** All hashes on record here. A genuine file ends with one of them: anybody can make one that does not. */
  recorded: readonly string[]
  /** The hash a file of this record ends with; null while it has none. */
  acceptedSha256: string | null
  /** How it is said that a file ends with it, with something else, or that there is nothing to end with. */
  said?: Record<'sameEnd' | 'otherEnd' | 'notAccepted' | 'unknown', string>
}

/** Proves a file of evidence by its own hashes and those on record, and says whether it ends with this acceptance. */
export function EvidenceCheck({ recorded, acceptedSha256, said }: EvidenceCheckProps) {
  const t = useT('quotes')
  const field = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [found, setFound] = useState<{ name: string; proof: Proof } | null>(null)
  const check = async (file: File | undefined) => {
    if (file) setFound({ name: file.name, proof: await proofOf(file) })
  }
  // What is dropped here is checked, and not attached to the record.
  const held = (event: DragEvent, isHeld: boolean) => {
    event.preventDefault()
    event.stopPropagation()
    setOver(isHeld)
  }
  return (
    <Card title={t('quotes:record.check')}>
      {/* Files can be chosen by keyboard, too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        className="evidence-drop"
        role="group"
        aria-label={t('quotes:record.check')}
        data-over={isOver}
        onDragOver={(event) => held(event, true)}
        onDragLeave={(event) => held(event, false)}
        onDrop={(event) => {
          held(event, false)
          void check(event.dataTransfer.files[0])
        }}
      >
        <p className="no-margin">{t('quotes:record.checkText')}</p>
        <Button variant="default" size="sm" onClick={() => field.current?.click()}>
          {t('quotes:record.choose')}
        </Button>
        <input
          ref={field}
          type="file"
          hidden
          accept="application/json,.json"
          aria-label={t('quotes:record.choose')}
          onChange={(event) => {
            void check(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
      </div>
      <div role="status">
        {found ? <Result {...found} recorded={recorded} acceptedSha256={acceptedSha256} said={said} /> : null}
      </div>
    </Card>
  )
}

interface ResultProps extends EvidenceCheckProps {
  name: string
  proof: Proof
}

function Result({ name, proof: { problem, position, lastSha256 }, recorded, acceptedSha256, said }: ResultProps) {
  const t = useT('quotes')
  if (problem)
    return (
      <DocumentBanner tone="error">
        <strong>{t(`quotes:record.problems.${problem}`, { position: position ?? 0 })}</strong>
        {problem === 'notEvidence' ? null : <span>{t('quotes:record.dontRely')}</span>}
        <span>{name}</span>
      </DocumentBanner>
    )
  if (lastSha256 === null || !recorded.includes(lastSha256))
    return (
      <DocumentBanner tone="error">
        <strong>{said?.unknown ?? t('quotes:record.unknown')}</strong>
        <span>{t('quotes:record.unknownText')}</span>
        <span>{name}</span>
        <code className="frame-hash" dir="ltr">
          {lastSha256}
        </code>
      </DocumentBanner>
    )
  const isThis = acceptedSha256 !== null && lastSha256 === acceptedSha256
  return (
    <DocumentBanner tone={acceptedSha256 === null || isThis ? 'info' : 'warning'}>
      {/* Whoever changes a file can hash it anew: only its end, which we keep, says that it is ours. */}
      <strong>{t('quotes:record.proven')}</strong>
      <span>
        {acceptedSha256 === null
          ? (said?.notAccepted ?? t('quotes:record.notAccepted'))
          : isThis
            ? (said?.sameEnd ?? t('quotes:record.sameEnd'))
            : (said?.otherEnd ?? t('quotes:record.otherEnd'))}
      </span>
      <code className="frame-hash" dir="ltr">
        {lastSha256}
      </code>
    </DocumentBanner>
  )
}

import { lazy, Suspense, useState, type ReactNode } from 'react'
import { filesApi, maxAttachments } from '../../contract/files.ts'
import type { NounName } from '../../contract/nouns.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { hasFiles, type Owner, useFileRights } from './access.ts'
import { FilesLoading } from './files-loading.tsx'
import './record-files.css'

const FilesCard = lazy(() => import('./files-card.tsx').then((module) => ({ default: module.FilesCard })))

/** Phones show one of them; wider screens show both. */
type Part = 'details' | 'files'
/** Is given the card of the files; null where the record has none, or the role does not include it. */
type AroundCard = (card: ReactNode) => ReactNode

/** What phones show beside the files, one at a time. */
export const DetailsPart = ({ children }: { children: ReactNode }) => (
  <div className="record-part-details">{children}</div>
)

/** The files of a record, where it has some and the role includes them. */
export function RecordFiles({ noun, guid, children }: { noun: NounName; guid: string; children: AroundCard }) {
  if (!hasFiles(noun)) return children(null)
  return (
    <Readable key={guid} owner={{ noun, guid }}>
      {children}
    </Readable>
  )
}

/** The same card by itself, for pages that have parts of their own. */
export function FilesOf({ noun, guid }: Owner) {
  const { mayRead } = useFileRights(noun)
  return mayRead ? (
    <div className="no-print">
      <Suspense fallback={<FilesLoading />}>
        <FilesCard key={guid} owner={{ noun, guid }} />
      </Suspense>
    </div>
  ) : null
}

function Readable({ owner, children }: { owner: Owner; children: AroundCard }) {
  const { mayRead } = useFileRights(owner.noun)
  return mayRead ? <WithFiles owner={owner}>{children}</WithFiles> : children(null)
}

function WithFiles({ owner, children }: { owner: Owner; children: AroundCard }) {
  const t = useT('files')
  const [part, setPart] = useState<Part>('details')
  const count = useRead(filesApi.attachments, { noun: owner.noun, owner: owner.guid, size: 100 }).data?.page.total.value
  const label = count ? t('files:tab', { number: Math.min(count, maxAttachments) }) : t('files:title')
  const tab = (own: Part, words: string) => (
    <button
      type="button"
      role="tab"
      aria-selected={part === own}
      tabIndex={part === own ? 0 : -1}
      onClick={() => setPart(own)}
      onKeyDown={(event) => {
        if (!['ArrowLeft', 'ArrowRight'].includes(event.key)) return
        event.preventDefault()
        setPart(own === 'files' ? 'details' : 'files')
        const { nextElementSibling: next, previousElementSibling: before } = event.currentTarget
        ;((next ?? before) as HTMLElement | null)?.focus()
      }}
    >
      {words}
    </button>
  )
  return (
    <div className="record-parts" data-part={part}>
      <div className="record-part-tabs no-print" role="tablist" aria-label={t('files:parts')}>
        {tab('details', t('files:details'))}
        {tab('files', label)}
      </div>
      {children(
        <div className="record-part-files no-print">
          <Suspense fallback={<FilesLoading />}>
            <FilesCard owner={owner} />
          </Suspense>
        </div>,
      )}
    </div>
  )
}

import { lazy, Suspense, useState, type ReactNode } from 'react'
import { filesApi, maxAttachments } from '../../contract/files.ts'
import type { NounName } from '../../contract/nouns.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { hasFiles, type Owner, useFileRights } from './access.ts'
import { FilesLoading } from './files-loading.tsx'
import './record-files.css'

const FilesCard = lazy(() => import('./files-card.tsx').then((module) => ({ default: module.FilesCard })))

interface Parts {
  /** Chooses on phones between what the page says and its files. */
  tabs: ReactNode
  /** The card of the files; null where the record has none, or the role does not include it. */
  card: ReactNode
  /** What phones show; wider screens show both. */
  part: 'details' | 'files'
}
const none: Parts = { tabs: null, card: null, part: 'details' }

/** The files of a record, where it has some and the role includes them. */
export function RecordFiles({
  noun,
  guid,
  children,
}: {
  noun: NounName
  guid: string
  children: (parts: Parts) => ReactNode
}) {
  if (!hasFiles(noun)) return children(none)
  return (
    <Readable key={guid} owner={{ noun, guid }}>
      {children}
    </Readable>
  )
}

function Readable({ owner, children }: { owner: Owner; children: (parts: Parts) => ReactNode }) {
  const { mayRead } = useFileRights(owner.noun)
  return mayRead ? <WithFiles owner={owner}>{children}</WithFiles> : children(none)
}

function WithFiles({ owner, children }: { owner: Owner; children: (parts: Parts) => ReactNode }) {
  const t = useT('files')
  const [part, setPart] = useState<Parts['part']>('details')
  const count = useRead(filesApi.attachments, { noun: owner.noun, owner: owner.guid, size: 100 }).data?.page.total.value
  const label = count ? t('files:tab', { number: Math.min(count, maxAttachments) }) : t('files:title')
  const tab = (own: Parts['part'], words: string) => (
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
  return children({
    part,
    tabs: (
      <div className="record-part-tabs no-print" role="tablist" aria-label={t('files:parts')}>
        {tab('details', t('files:details'))}
        {tab('files', label)}
      </div>
    ),
    card: (
      <div className="record-part-files no-print">
        <Suspense fallback={<FilesLoading />}>
          <FilesCard owner={owner} />
        </Suspense>
      </div>
    ),
  })
}

import { Button } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { type Attachment, fileTypes } from '../../contract/files.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { isPhoto, type Owner, useFileRights } from './access.ts'
import { DocumentRows } from './document-rows.tsx'
import './files.css'
import { LoadingSquares } from './files-loading.tsx'
import { PhotoGrid, squareOf } from './photo-grid.tsx'
import { UploadRows } from './upload-rows.tsx'
import { useAttachmentDeeds } from './use-attachment-deeds.ts'
import { useAttachments } from './use-attachments.ts'
import { useDrop } from './use-drop.ts'
import { useLeaveQuestion } from './use-leave-question.tsx'
import { useUploads } from './use-uploads.ts'

const Viewer = whenOpen(() => import('./viewer.tsx').then((module) => module.Viewer))
const NearbyDialog = whenOpen(() => import('./nearby-dialog.tsx').then((module) => module.NearbyDialog))
const CaptionDialog = whenOpen(() => import('./caption-dialog.tsx').then((module) => module.CaptionDialog))

const accepted = Object.entries(fileTypes)
  .flatMap(([type, endings]) => [type, ...endings.map((ending) => `.${ending}`)])
  .join(',')

/** The files of a record: photos to look at, documents to download, and those on their way here. */
export function FilesCard({ owner }: { owner: Owner }) {
  const t = useT('files', 'common')
  const { mayWrite } = useFileRights(owner.noun)
  const { items, isLoading, error, again } = useAttachments(owner)
  const uploads = useUploads(owner)
  const deeds = useAttachmentDeeds()
  const [open, setOpen] = useState<string | null>(null)
  const [captioned, setCaptioned] = useState<Attachment | null>(null)
  const isOver = useDrop(mayWrite, uploads.add)
  const leaving = useLeaveQuestion(uploads.sending.filter(({ state }) => state !== 'failed').length)
  const photos = items.filter(isPhoto)
  const isEmpty = !isLoading && !error && items.length === 0 && uploads.sending.length === 0
  const closeViewer = (last: string) => {
    setOpen(null)
    requestAnimationFrame(() => document.getElementById(squareOf(last))?.focus())
  }
  const common = { deeds, mayWrite, onCaption: setCaptioned }
  return (
    <Card title={t('files:title')} actions={mayWrite ? <AddButtons owner={owner} onFiles={uploads.add} /> : null}>
      {leaving}
      <div className="stack">
        <UploadRows sending={uploads.sending} uploads={uploads} />
        {isLoading ? <LoadingSquares /> : null}
        {error ? (
          <div className="row" role="alert">
            <span>{t('files:failed')}</span>
            <Button size="compact-md" variant="light" onClick={again}>
              {t('common:retry')}
            </Button>
          </div>
        ) : null}
        {isEmpty ? <p className="muted no-margin">{t(mayWrite ? 'files:empty' : 'files:emptyForReaders')}</p> : null}
        <PhotoGrid photos={photos} onOpen={setOpen} />
        <DocumentRows items={items.filter((item) => !isPhoto(item))} {...common} />
      </div>
      {open === null ? null : (
        <Viewer photos={photos} first={open} onLeave={closeViewer} onClose={() => setOpen(null)} {...common} />
      )}
      {captioned ? (
        <CaptionDialog
          attachment={captioned}
          onSave={(caption) => deeds.caption(captioned, caption)}
          onClose={() => setCaptioned(null)}
        />
      ) : null}
      {isOver ? <div className="file-drop">{t('files:drop')}</div> : null}
    </Card>
  )
}

/** What is made for a customer can have files that hang on something else of his. */
const hasOthers: readonly Owner['noun'][] = ['Customers', 'Quotes', 'Orders', 'Invoices']

function AddButtons({ owner, onFiles }: { owner: Owner; onFiles: (files: File[]) => void }) {
  const t = useT('files')
  const [isChoosing, setChoosing] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const taken = (input: HTMLInputElement) => {
    onFiles([...(input.files ?? [])])
    // The same file may be chosen again.
    input.value = ''
  }
  return (
    <>
      <Button
        variant="default"
        px="sm"
        className="file-camera"
        leftSection={<IconCamera size={18} stroke={1.75} aria-hidden="true" />}
        onClick={() => camera.current?.click()}
      >
        {t('files:takePhoto')}
      </Button>
      {hasOthers.includes(owner.noun) ? (
        <Button variant="default" px="sm" onClick={() => setChoosing(true)}>
          {t('files:nearby.choose')}
        </Button>
      ) : null}
      {isChoosing ? <NearbyDialog owner={owner} onClose={() => setChoosing(false)} /> : null}
      <Button px="sm" leftSection={<Icon name="create" size={18} />} onClick={() => picker.current?.click()}>
        {t('files:add')}
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept={accepted}
        data-picker="files"
        onChange={(event) => taken(event.currentTarget)}
      />
      <input
        ref={camera}
        type="file"
        hidden
        accept="image/*"
        capture="environment"
        onChange={(event) => taken(event.currentTarget)}
      />
    </>
  )
}

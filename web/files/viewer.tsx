import { ActionIcon, Modal } from '@mantine/core'
import { IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { isRtl } from '../../contract/core/languages.ts'
import type { Attachment } from '../../contract/files.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { useEscape } from '../core/ui/escape.ts'
import { Icon } from '../core/ui/icon.tsx'
import { stepping } from '../core/ui/kit-button.tsx'
import { AttachmentTools } from './attachment-tools.tsx'
import { useContentUrl } from './content-url.ts'
import { usePhotoText } from './photo-grid.tsx'
import type { AttachmentDeeds } from './use-attachment-deeds.ts'
import './viewer.css'

const zooms = [1, 1.5, 2, 3, 4] as const

export interface ViewerProps {
  photos: readonly Attachment[]
  /** The photo it begins with. */
  first: string
  deeds: AttachmentDeeds
  mayWrite: boolean
  onCaption: (photo: Attachment) => void
  /** Told which photo was looked at last. */
  onLeave: (last: string) => void
  onClose: () => void
}

/** Photos one by one over the page: arrows, + and − zoom, D downloads, Escape goes back to the photo in the grid. */
export function Viewer({ photos, first, deeds, mayWrite, onCaption, onLeave, onClose }: ViewerProps) {
  const t = useT('files', 'common')
  const language = useLanguage()
  const textOf = usePhotoText()
  const [at, setAt] = useState(first)
  const [zoom, setZoom] = useState(0)
  const index = Math.max(
    0,
    photos.findIndex(({ guid }) => guid === at),
  )
  const photo = photos[index]
  const move = (step: number) => {
    const next = photos[index + step]
    if (!next) return
    setAt(next.guid)
    setZoom(0)
  }
  const magnify = (step: number) => setZoom(Math.min(zooms.length - 1, Math.max(0, zoom + step)))
  const leave = () => onLeave(photo?.guid ?? at)
  const forward = isRtl(language) ? 'ArrowLeft' : 'ArrowRight'
  const deedsOfKeys: Record<string, () => void> = {
    ArrowLeft: () => move(forward === 'ArrowLeft' ? 1 : -1),
    ArrowRight: () => move(forward === 'ArrowRight' ? 1 : -1),
    '+': () => magnify(1),
    '=': () => magnify(1),
    '-': () => magnify(-1),
    '−': () => magnify(-1),
    d: () => photo && deeds.download(photo),
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'text'
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    const deed = deedsOfKeys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!deed) return
    event.preventDefault()
    event.stopPropagation()
    deed()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [])
  useEscape(true, leave)
  const isGone = photo === undefined
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isGone) close()
  }, [isGone])
  if (!photo) return null
  return (
    <Modal
      opened
      fullScreen
      onClose={leave}
      closeOnEscape={false}
      returnFocus={false}
      title={t('files:viewer.of', { number: index + 1, total: photos.length })}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={{ content: 'viewer', header: 'viewer-head', body: 'viewer-body' }}
    >
      <div className="viewer-stage">
        <Picture key={photo.guid} photo={photo} text={textOf(photo)} zoom={zooms[zoom] ?? 1} />
        <Step label={t('files:viewer.previous')} side="start" isOff={index === 0} onClick={() => move(-1)}>
          <Icon name="back" />
        </Step>
        <Step label={t('files:viewer.next')} side="end" isOff={index === photos.length - 1} onClick={() => move(1)}>
          <Icon name="next" />
        </Step>
      </div>
      <div className="viewer-foot">
        <PhotoFacts photo={photo} />
        <div className="row">
          <Tool label={t('files:viewer.zoomOut')} isOff={zoom === 0} onClick={() => magnify(-1)}>
            <IconZoomOut size={20} stroke={1.75} aria-hidden="true" />
          </Tool>
          <Tool label={t('files:viewer.zoomIn')} isOff={zoom === zooms.length - 1} onClick={() => magnify(1)}>
            <IconZoomIn size={20} stroke={1.75} aria-hidden="true" />
          </Tool>
          <Tool label={t('files:download')} onClick={() => deeds.download(photo)}>
            <Icon name="download" />
          </Tool>
          <AttachmentTools
            attachment={photo}
            deeds={deeds}
            mayWrite={mayWrite}
            onCaption={() => onCaption(photo)}
            onDetached={() => move(index === photos.length - 1 ? -1 : 1)}
          />
        </div>
      </div>
    </Modal>
  )
}

function Picture({ photo: { file }, text, zoom }: { photo: Attachment; text: string; zoom: number }) {
  const t = useT('files', 'common')
  const { url, hasFailed } = useContentUrl({ guid: file.guid, size: file.hasView ? 'view' : 'file' })
  const frame = useRef<HTMLDivElement>(null)
  /** How wide it is where it just fits, in pixels. */
  const [fit, setFit] = useState(0)
  const measure = ({ naturalWidth, naturalHeight }: HTMLImageElement) => {
    const { clientWidth = 0, clientHeight = 0 } = frame.current ?? {}
    setFit(naturalWidth * Math.min(1, clientWidth / naturalWidth, clientHeight / naturalHeight))
  }
  if (hasFailed) return <p role="alert">{t('files:viewer.broken')}</p>
  if (!url) return <p role="status">{t('common:loading')}</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what is larger than its frame is moved by keys
    <div ref={frame} className="viewer-frame" tabIndex={zoom > 1 ? 0 : -1} role="group" aria-label={text}>
      <img
        src={url}
        alt={text}
        onLoad={(event) => measure(event.currentTarget)}
        {...(zoom > 1 ? { style: { inlineSize: fit * zoom, maxInlineSize: 'none', maxBlockSize: 'none' } } : {})}
      />
    </div>
  )
}

function PhotoFacts({ photo: { file, caption, createdAt, createdBy } }: { photo: Attachment }) {
  const t = useT('files')
  const format = useFormat()
  const date = format.date(createdAt)
  const unnamed = file.isFromCustomer ? t('files:viewer.sentAt', { date }) : t('files:viewer.addedAt', { date })
  const added = createdBy ? t('files:viewer.addedBy', { name: createdBy.name, date }) : unnamed
  const taken = file.takenAt ? t('files:viewer.takenAt', { time: format.dateTime(file.takenAt) }) : null
  return (
    <div className="viewer-facts">
      {caption ? <p className="no-margin prose">{caption}</p> : null}
      <p className="no-margin small muted">{[taken, added].filter(Boolean).join(' · ')}</p>
    </div>
  )
}

interface ToolProps {
  label: string
  isOff?: boolean
  onClick: () => void
  children: ReactNode
}
function Tool({ label, isOff = false, onClick, children }: ToolProps) {
  return (
    <ActionIcon variant="default" size="lg" aria-label={label} title={label} {...stepping(isOff, onClick)}>
      {children}
    </ActionIcon>
  )
}

function Step({ side, children, ...tool }: ToolProps & { side: 'start' | 'end' }) {
  return (
    <div className="viewer-step" data-side={side}>
      <Tool {...tool}>
        <span className="flips viewer-arrow">{children}</span>
      </Tool>
    </div>
  )
}

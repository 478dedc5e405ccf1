import { useEffect, useRef, useState } from 'react'
import type { Attachment } from '../../contract/files.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { useContentUrl } from './content-url.ts'
import { FileIcon } from './file-icon.tsx'

/** What a photo is called where it cannot be seen. */
export function usePhotoText(): (photo: Attachment) => string {
  const t = useT('files')
  const format = useFormat()
  return ({ caption, file, createdAt }) =>
    caption || t('files:photoOf', { date: format.date(file.takenAt ?? createdAt) })
}

/** The button of a photo in the grid, which has the focus again when the viewer closes. */
export const squareOf = (guid: string): string => `photo-${guid}`

export function PhotoGrid({ photos, onOpen }: { photos: readonly Attachment[]; onOpen: (guid: string) => void }) {
  const t = useT('files')
  const textOf = usePhotoText()
  if (photos.length === 0) return null
  return (
    <ul className="file-grid" aria-label={t('files:photos')}>
      {photos.map((photo) => (
        <li key={photo.guid} className="file-square">
          <button type="button" id={squareOf(photo.guid)} onClick={() => onOpen(photo.guid)}>
            <Thumb photo={photo} text={textOf(photo)} />
          </button>
          {photo.forCustomer ? (
            <span className="file-shown" title={t('files:shown')}>
              <Icon name="peek" size={14} />
              <span className="visually-hidden">{t('files:shown')}</span>
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** Fetched once it comes near the window: a record may have two hundred. */
function Thumb({ photo: { file }, text }: { photo: Attachment; text: string }) {
  const box = useRef<HTMLSpanElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), { rootMargin: '200px' })
    if (box.current) watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  const { url } = useContentUrl({ guid: file.guid, size: 'thumb' }, isNear && file.hasThumb)
  if (url) return <img src={url} alt={text} width={96} height={96} decoding="async" />
  return (
    <span ref={box}>
      <FileIcon name={file.name} />
      <span className="visually-hidden">{text}</span>
    </span>
  )
}

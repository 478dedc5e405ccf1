import type { Attachment } from '../../contract/files.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { FileThumb } from './file-thumb.tsx'

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
            <FileThumb
              guid={photo.file.guid}
              hasThumb={photo.file.hasThumb}
              name={photo.file.name}
              text={textOf(photo)}
              side={96}
            />
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

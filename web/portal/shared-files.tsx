import { filesApi, isPictureType, type SharedFile } from '../../contract/files.ts'
import { download } from '../core/api/client.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import type { Format } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/ui/toast.tsx'
import { bytesText } from '../files/bytes.ts'
import { contentOptions, useContentUrl } from '../files/content-url.ts'
import { FileIcon } from '../files/file-icon.tsx'
import { Panel } from './parts.tsx'
import '../files/files.css'
import './shared-files.css'

interface SharedProps {
  /** The customer's link, which is what he may read them by. */
  link: string
  f: Format
}

/** The files that the business shows its customer. */
export const SharedFiles = (props: SharedProps & { files: readonly SharedFile[] }) =>
  props.files.length === 0 ? null : <SharedPanel {...props} />

function SharedPanel({ files, ...shared }: SharedProps & { files: readonly SharedFile[] }) {
  const t = useT('files')
  return (
    <Panel title={t('files:title')} className="no-print">
      <ul className="file-rows">
        {files.map((file) => (
          <SharedRow key={file.guid} file={file} {...shared} />
        ))}
      </ul>
    </Panel>
  )
}

function SharedRow({ file, link, f }: SharedProps & { file: SharedFile }) {
  const t = useT('files')
  const text = useErrorText()
  const language = useLanguage()
  const { guid, name, caption, bytes } = file
  const isPicture = isPictureType(file.mime)
  const { url } = useContentUrl({ guid, size: 'thumb', link }, isPicture && file.hasThumb)
  const photo = caption || t('files:photoOf', { date: f.date(file.takenAt ?? file.createdAt) })
  return (
    <li className="file-row">
      {url ? <img className="shared-photo" src={url} alt={photo} width={64} height={64} /> : <FileIcon name={name} />}
      <div className="file-row-text">
        <button
          type="button"
          className="link"
          aria-label={t('files:downloadFile', { name })}
          onClick={() =>
            void download(filesApi.content, { guid, size: 'file', link }, contentOptions).catch((error: unknown) =>
              toast.error(text(error)),
            )
          }
        >
          <bdi>{name}</bdi>
        </button>
        {caption ? <span className="small prose">{caption}</span> : null}
        <span className="small muted">{bytesText(bytes, language)}</span>
      </div>
    </li>
  )
}

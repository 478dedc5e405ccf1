import { isOpenState, type Attachment } from '../../contract/files.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { AttachmentTools, type AttachmentToolsProps } from './attachment-tools.tsx'
import { bytesText } from './bytes.ts'
import { FileIcon } from './file-icon.tsx'

type RowProps = Omit<AttachmentToolsProps, 'onCaption' | 'onDetached'> & { onCaption: (attachment: Attachment) => void }

/** Everything that is no photo to look at, a row each. */
export function DocumentRows({ items, ...row }: { items: readonly Attachment[] } & Omit<RowProps, 'attachment'>) {
  const t = useT('files')
  if (items.length === 0) return null
  return (
    <ul className="file-rows" aria-label={t('files:documents')}>
      {items.map((attachment) => (
        <DocumentRow key={attachment.guid} attachment={attachment} {...row} />
      ))}
    </ul>
  )
}

function DocumentRow({ attachment, onCaption, ...tools }: RowProps) {
  const t = useT('files')
  const format = useFormat()
  const language = useLanguage()
  const { file, caption, createdAt, createdBy } = attachment
  const by = createdBy?.name ?? (file.isFromCustomer ? t('files:fromCustomer') : null)
  const facts = [bytesText(file.bytes, language), by, format.date(createdAt)].filter(Boolean)
  return (
    <li className="file-row">
      <FileIcon name={file.name} />
      <div className="file-row-text">
        {isOpenState(file.scan) ? (
          <button
            type="button"
            className="link"
            aria-label={t('files:downloadFile', { name: file.name })}
            onClick={() => tools.deeds.download(attachment)}
          >
            <bdi>{file.name}</bdi>
          </button>
        ) : (
          <bdi>{file.name}</bdi>
        )}
        {caption ? <span className="small prose">{caption}</span> : null}
        <span className="small muted">{facts.join(' · ')}</span>
        {file.scan === 'waiting' ? <span className="small muted">{t('files:waiting')}</span> : null}
        {file.scan === 'infected' ? <span className="small file-bad">{t('files:infected')}</span> : null}
      </div>
      <AttachmentTools attachment={attachment} {...tools} onCaption={() => onCaption(attachment)} />
    </li>
  )
}

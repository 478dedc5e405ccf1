import { Button, Checkbox } from '@mantine/core'
import { useRef, useState } from 'react'
import { filesApi } from '../../contract/files.ts'
import { encodedBytes, maxEncodedBytes } from '../../contract/message-writes.ts'
import { request } from '../core/api/client.ts'
import { dropReads, queryClient } from '../core/api/hooks.ts'
import { useOwner } from '../core/api/of-business.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { type Owner, useFileRights } from '../files/access.ts'
import { bytesText } from '../files/bytes.ts'
import { UploadRows } from '../files/upload-rows.tsx'
import { useSending } from '../files/use-uploads.ts'
import '../files/files.css'
import { fileKey, type Offered } from './compose-values.ts'

interface AttachedFilesProps {
  owner: Owner
  offered: readonly Offered[]
  chosen: readonly string[]
  onChange: (change: (before: readonly string[]) => string[]) => void
  error: string | undefined
}

/** What goes with a message: documents that are offered, and files of the record, to which new ones are added first. */
export function AttachedFiles({ owner, offered, chosen, onChange, error }: AttachedFilesProps) {
  const t = useT('compose')
  const language = useLanguage()
  const business = useOwner()
  const f = useFormat()
  const { mayWrite } = useFileRights(owner.noun)
  const [added, setAdded] = useState<readonly Offered[]>([])
  const input = useRef<HTMLInputElement>(null)
  const uploads = useSending(async (fileGuid, signal) => {
    const { noun, guid } = owner
    const { attachments } = await request(
      filesApi.attach,
      { noun, ownerGuid: guid, items: [{ fileGuid }] },
      { signal, business },
    )
    const file = attachments[0]?.file
    const key = fileKey(fileGuid)
    setAdded((before) => [...before, { key, name: file?.name ?? '', bytes: file?.bytes ?? null }])
    onChange((before) => [...before, key])
    void dropReads(queryClient, ['Files'])
  })
  const rows = [...offered, ...added.filter(({ key }) => !offered.some((one) => one.key === key))]
  const sum = rows
    .filter(({ key }) => chosen.includes(key))
    .reduce((all, { bytes }) => all + encodedBytes(bytes ?? 0), 0)
  const share = sum / maxEncodedBytes
  return (
    <fieldset className="compose-files" aria-invalid={error ? true : undefined}>
      <legend className="field-label">{t('compose:attachments')}</legend>
      {rows.length === 0 && uploads.sending.length === 0 ? (
        <p className="muted small no-margin">{t('compose:noFiles')}</p>
      ) : null}
      {rows.map(({ key, name, bytes }) => (
        <Checkbox
          key={key}
          label={
            <>
              {unbroken(name)}
              {bytes === null ? null : <span className="muted small"> · {bytesText(bytes, language)}</span>}
            </>
          }
          checked={chosen.includes(key)}
          onChange={(event) => {
            const isOn = event.currentTarget.checked
            onChange((before) => (isOn ? [...before, key] : before.filter((one) => one !== key)))
          }}
        />
      ))}
      <UploadRows sending={uploads.sending} uploads={uploads} />
      {mayWrite ? (
        <div className="row">
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label={t('compose:addFiles')}
            onChange={(event) => {
              uploads.add([...(event.currentTarget.files ?? [])])
              event.currentTarget.value = ''
            }}
          />
          <Button
            variant="default"
            leftSection={<Icon name="attachment" size={16} />}
            onClick={() => input.current?.click()}
          >
            {t('compose:addFiles')}
          </Button>
          {share > 0.8 ? (
            <span className="small muted">
              {t('compose:total', { size: f.percent(Math.round(share * 100) * 100) })}
            </span>
          ) : null}
        </div>
      ) : null}
      {error ? (
        <p className="small no-margin compose-error" role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}

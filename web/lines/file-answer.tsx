import { Button, Input } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import { filesApi, fileTypes } from '../../contract/files.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import { FileIcon } from '../files/file-icon.tsx'
import { UploadRows } from '../files/upload-rows.tsx'
import { useSending } from '../files/use-uploads.ts'
import type { FileQuestionProps } from '../questions/question.tsx'
import { fileNames } from './questions-state.ts'
import '../files/files.css'

const accepted = Object.values(fileTypes)
  .flat()
  .map((ending) => `.${ending}`)
  .join(',')

/** A file as an answer: it is sent at once, and hangs on the document when that is saved. */
export function FileAnswer({ value, onChange, label, description, error }: FileQuestionProps) {
  const t = useT('files', 'lines')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const maySend = useCan(filesApi.create)
  const chosen = useRef('')
  const answer = useRef(onChange)
  useEffect(() => {
    answer.current = onChange
  })
  const uploads = useSending((guid) => {
    fileNames.set(guid, chosen.current)
    answer.current({ fileGuid: guid })
    return Promise.resolve()
  })
  const fileGuid = value && 'fileGuid' in value ? value.fileGuid : null
  const name = fileGuid ? (fileNames.get(fileGuid) ?? t('lines:fileAnswer')) : ''
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error} labelElement="div">
      <div className="file-answer">
        {fileGuid ? (
          <div className="file-row">
            <FileIcon name={name} />
            <div className="file-row-text">
              <bdi>{name}</bdi>
            </div>
            <div className="file-row-tools">
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('files:removeFile', { name })}
                onClick={() => onChange(undefined)}
              >
                {t('files:remove')}
              </Button>
            </div>
          </div>
        ) : null}
        <UploadRows sending={uploads.sending} uploads={uploads} />
        {fileGuid || uploads.sending.length > 0 ? null : (
          <Button variant="default" disabled={!maySend} onClick={() => input.current?.click()}>
            {t('lines:chooseFile')}
          </Button>
        )}
        <input
          ref={input}
          type="file"
          hidden
          accept={accepted}
          aria-label={label}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            chosen.current = file?.name ?? ''
            if (file) uploads.add([file])
            event.currentTarget.value = ''
          }}
        />
      </div>
    </Input.Wrapper>
  )
}

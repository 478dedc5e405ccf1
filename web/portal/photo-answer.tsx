import { Button, Input, Loader } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import { fileSentences, partBytes } from '../../contract/files.ts'
import { serviceApi } from '../../contract/service.ts'
import { request } from '../core/api/client.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { shrunkTo } from '../files/shrink.ts'
import { base64Of } from '../files/uploads.ts'
import type { FileQuestionProps } from '../questions/question.tsx'

interface Sent {
  guid: string
  name: string
  url: string
}

/** A question that a photo answers: it is drawn smaller here, and sent at once. */
export function PhotoAnswer({
  link,
  lineGuid,
  option,
  value,
  onChange,
  label,
  description,
  error,
}: FileQuestionProps & { link: string; lineGuid: string }) {
  const t = useT('service')
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const { sent, isSending, problem, send } = usePhoto({ link, lineGuid, option: option.code }, onChange)
  const fileGuid = value && 'fileGuid' in value ? value.fileGuid : null
  const isThere = fileGuid !== null && !isSending
  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={description}
      error={problem ?? error}
      withAsterisk={option.required}
      labelElement="div"
    >
      <div className="photo-answer">
        {isThere && sent?.guid === fileGuid ? <img src={sent.url} alt={sent.name} width={64} height={64} /> : null}
        {isThere && sent?.guid !== fileGuid ? (
          <span className="photo-answer-there">
            <Icon name="check" size={18} /> {t('service:answers.photoThere')}
          </span>
        ) : null}
        {isSending ? <Loader size="sm" aria-label={t('service:answers.sending')} /> : null}
        <Button variant="default" disabled={isSending} onClick={() => picker.current?.click()} id={id}>
          {isThere ? t('service:answers.otherPhoto') : t('service:answers.addPhoto')}
        </Button>
        {isThere ? (
          <button type="button" className="link" onClick={() => onChange(undefined)}>
            {t('service:answers.removePhoto')}
          </button>
        ) : null}
        <input
          ref={picker}
          type="file"
          hidden
          accept="image/*"
          data-picker={`photo-${option.code}`}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file) void send(file)
            // The same file may be chosen again.
            event.currentTarget.value = ''
          }}
        />
      </div>
    </Input.Wrapper>
  )
}

function usePhoto(
  question: { link: string; lineGuid: string; option: string },
  onChange: (value: { fileGuid: string }) => void,
) {
  const text = useErrorText()
  const [sent, setSent] = useState<Sent | null>(null)
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const url = sent?.url
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])
  const send = async (file: File) => {
    setSending(true)
    setProblem(null)
    try {
      const picture = await shrunkTo(file, partBytes)
      if (!picture) return setProblem(inLanguage(isHeic(file) ? fileSentences.heic : fileSentences.type))
      const { link: guid, lineGuid, option } = question
      const { file: kept } = await request(serviceApi.photo, {
        guid,
        lineGuid,
        option,
        clientKey: crypto.randomUUID(),
        fileName: file.name || 'photo.jpg',
        base64: await base64Of(picture),
        takenAt: new Date(file.lastModified).toISOString(),
      })
      setSent({ guid: kept.guid, name: kept.name, url: URL.createObjectURL(picture) })
      onChange({ fileGuid: kept.guid })
    } catch (failure) {
      setProblem(text(failure))
    } finally {
      setSending(false)
    }
  }
  return { sent, isSending, problem, send }
}

const isHeic = ({ name, type }: File) => /hei[cf]/i.test(type) || /\.hei[cf]$/i.test(name)

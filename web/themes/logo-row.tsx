import { Button, FileButton } from '@mantine/core'
import { useRef, useState } from 'react'
import { useController } from 'react-hook-form'
import { filesApi } from '../../contract/files.ts'
import { useRun } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { base64Of } from '../files/uploads.ts'
import type { ThemeControl } from './colour-row.tsx'

const maxBytes = 512 * 1024
const kinds = ['image/png', 'image/jpeg']

interface LogoProps {
  control: ThemeControl
  name: 'logoFileGuid' | 'logoDarkFileGuid'
  label: string
  hint: string
  /** The picture as it is shown, with what was chosen meanwhile. */
  shown: string | null
  isDark: boolean
  isDisabled: boolean
}

/** A logo: kept as a file as soon as it is chosen, and part of the theme with its next version. */
export function LogoRow({ control, name, label, hint, shown, isDark, isDisabled }: LogoProps) {
  const t = useT('themes')
  const run = useRun()
  const text = useErrorText()
  const { field, fieldState } = useController({ control, name })
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const reset = useRef<() => void>(null)
  const choose = async (file: File | null) => {
    setProblem(null)
    if (!file) return
    if (!kinds.includes(file.type)) return setProblem(t('themes:logoKind'))
    if (file.size > maxBytes) return setProblem(t('themes:logoSize'))
    setSending(true)
    try {
      const sent = { clientKey: crypto.randomUUID(), fileName: file.name, bytes: file.size }
      const { file: kept } = await run(filesApi.create, { ...sent, base64: await base64Of(file) })
      if (kept) field.onChange(kept.guid)
    } catch (error) {
      setProblem(text(error))
    } finally {
      setSending(false)
      reset.current?.()
    }
  }
  const error = problem ?? fieldState.error?.message
  return (
    <div className="stack theme-logo" role="group" aria-label={label}>
      <div>
        <p className="field-label">{label}</p>
        <p className="muted small no-margin">{hint}</p>
      </div>
      <div className="theme-logo-box" data-dark={isDark}>
        {shown ? <img src={shown} alt={label} /> : <span>{t('themes:noLogo')}</span>}
      </div>
      <div className="row">
        <FileButton
          accept={kinds.join(',')}
          onChange={(file) => void choose(file)}
          resetRef={reset}
          disabled={isDisabled}
          inputProps={{ 'aria-label': `${label}: ${t('themes:chooseLogo')}` }}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={isSending}
              disabled={isDisabled}
              leftSection={<Icon name="create" size={18} />}
            >
              {shown ? t('themes:otherLogo') : t('themes:chooseLogo')}
            </Button>
          )}
        </FileButton>
        {shown && !isDisabled ? (
          <Button variant="subtle" onClick={() => field.onChange(null)}>
            {t('themes:removeLogo')}
          </Button>
        ) : null}
      </div>
      {error ? (
        <p className="field-error" role="alert">
          {error}
        </p>
      ) : null}
    </div>
  )
}

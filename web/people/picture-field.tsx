import { Button, FileButton } from '@mantine/core'
import { useRef, useState } from 'react'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { squarePicture } from './picture.ts'

export interface PictureFieldProps {
  hasPicture: boolean
  /** Saves the picture as base64, or takes it away. */
  save: (picture: { base64: string } | null) => Promise<unknown>
}

/** Chooses a picture of a person: cut to a square and made small in the browser, saved at once. */
export function PictureField({ hasPicture, save }: PictureFieldProps) {
  const t = useT('account')
  const text = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const reset = useRef<() => void>(null)
  const put = async (picture: { base64: string } | null) => {
    setBusy(true)
    setProblem(null)
    await save(picture).catch((error: unknown) => setProblem(text(error)))
    setBusy(false)
    reset.current?.()
  }
  const choose = async (file: File | null) => {
    if (!file) return
    const base64 = await squarePicture(file)
    if (base64) await put({ base64 })
    else setProblem(t('account:picture.unreadable'))
  }
  return (
    <div className="stack picture-field">
      <div className="row">
        <FileButton
          accept="image/png,image/jpeg,image/webp"
          onChange={(file) => void choose(file)}
          resetRef={reset}
          inputProps={{ 'aria-label': t('account:picture.choose') }}
        >
          {(props) => (
            <Button {...props} variant="default" loading={isBusy} leftSection={<Icon name="create" size={18} />}>
              {hasPicture ? t('account:picture.other') : t('account:picture.choose')}
            </Button>
          )}
        </FileButton>
        {hasPicture ? (
          <Button variant="subtle" disabled={isBusy} onClick={() => void put(null)}>
            {t('account:picture.remove')}
          </Button>
        ) : null}
      </div>
      {problem ? (
        <p className="field-error" role="alert">
          {problem}
        </p>
      ) : null}
    </div>
  )
}

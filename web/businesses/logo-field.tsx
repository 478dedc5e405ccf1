import { Button, FileButton } from '@mantine/core'
import { useRef, useState } from 'react'
import { useController, type Control } from 'react-hook-form'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import type { BusinessValues, SentBusiness } from './business-values.ts'

const maxBytes = 512 * 1024
const kinds = ['image/png', 'image/jpeg']

const readAddress = (file: File) =>
  new Promise<string>((done, fail) => {
    const reader = new FileReader()
    reader.onload = () => done(typeof reader.result === 'string' ? reader.result : '')
    reader.onerror = () => fail(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(file)
  })

/** The picture at the head of documents, mails and the customer's pages. */
export function LogoField({
  control,
  hasLogo,
}: {
  control: Control<BusinessValues, unknown, SentBusiness>
  hasLogo: boolean
}) {
  const t = useT('setup')
  const { field, fieldState } = useController({ control, name: 'logo' })
  const [shown, setShown] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const reset = useRef<() => void>(null)
  const isThere = field.value === undefined ? hasLogo : field.value !== null

  const choose = async (file: File | null) => {
    setProblem(null)
    if (!file) return
    if (!kinds.includes(file.type)) return setProblem(t('setup:business.logoKind'))
    if (file.size > maxBytes) return setProblem(t('setup:business.logoSize'))
    const address = await readAddress(file).catch(() => null)
    if (!address) return setProblem(t('setup:business.logoUnreadable'))
    setShown(address)
    field.onChange({ base64: address.slice(address.indexOf(',') + 1) })
  }
  const serverError =
    (fieldState.error as { base64?: { message?: string }; message?: string } | undefined)?.base64?.message ??
    fieldState.error?.message
  return (
    <div className="stack logo-field" role="group" aria-label={t('setup:business.logo')}>
      <div>
        <p className="field-label">{t('setup:business.logo')}</p>
        <p className="muted small no-margin">{t('setup:business.logoHint')}</p>
      </div>
      <div className="logo-box">
        {shown && isThere ? (
          <img src={shown} alt={t('setup:business.logoAlt')} />
        ) : (
          <span className="muted">{isThere ? t('setup:business.logoKept') : t('setup:business.noLogo')}</span>
        )}
      </div>
      <div className="row">
        <FileButton
          accept={kinds.join(',')}
          onChange={(file) => void choose(file)}
          resetRef={reset}
          inputProps={{ 'aria-label': t('setup:business.chooseLogo') }}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<Icon name="create" size={18} />}>
              {isThere ? t('setup:business.otherLogo') : t('setup:business.chooseLogo')}
            </Button>
          )}
        </FileButton>
        {isThere ? (
          <Button
            variant="subtle"
            onClick={() => {
              reset.current?.()
              setShown(null)
              field.onChange(hasLogo ? null : undefined)
            }}
          >
            {t('setup:business.removeLogo')}
          </Button>
        ) : null}
      </div>
      {problem || serverError ? (
        <p className="field-error" role="alert">
          {problem ?? serverError}
        </p>
      ) : null}
    </div>
  )
}

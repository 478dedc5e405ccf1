import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { SignaturePad, type SignatureValue } from '../core/ui/signature-pad.tsx'

const isTypedAs = (signature: SignatureValue | null, name: string) =>
  signature === null || (signature.method === 'typed' && signature.text === name.trim())

/** A customer's name and signature, as he enters them. */
export function useSigning() {
  const t = useT('service')
  const [name, setName] = useState('')
  const [signature, setSignature] = useState<SignatureValue | null>(null)
  // The name is the signature until somebody signs otherwise; the pad starts anew with each letter of it.
  const [seed, setSeed] = useState('')
  const problems = {
    name: name.trim() ? null : t('service:accept.nameMissing'),
    signature: signature ? null : t('service:accept.signatureMissing'),
  }
  return {
    name,
    seed,
    problems,
    setSignature,
    typeName: (typed: string) => {
      if (isTypedAs(signature, name)) {
        setSeed(typed)
        if (!typed.trim()) setSignature(null)
      }
      setName(typed)
    },
    /** What is sent; null where something is missing, and whoever signs is taken there. */
    signedIn: (form: HTMLFormElement) => {
      if (!problems.name && signature)
        return {
          name: name.trim(),
          signature: signature.method === 'typed' ? { method: signature.method, text: name.trim() } : signature,
        }
      form.querySelector<HTMLInputElement>(problems.name ? '[name="name"]' : '.signature input')?.focus()
      return null
    },
  }
}

interface SigningFieldsProps {
  signing: ReturnType<typeof useSigning>
  /** What is missing is said once it was tried without. */
  isTried: boolean
}

export function SigningFields({ signing, isTried }: SigningFieldsProps) {
  const t = useT('service')
  const { name, seed, problems, typeName, setSignature } = signing
  return (
    <>
      <TextInput
        name="name"
        label={t('service:accept.name')}
        value={name}
        onChange={(event) => typeName(event.currentTarget.value)}
        maxLength={120}
        autoComplete="name"
        required
        error={isTried ? problems.name : null}
      />
      <SignaturePad key={seed} name={seed} onChange={setSignature} error={isTried ? problems.signature : null} />
    </>
  )
}

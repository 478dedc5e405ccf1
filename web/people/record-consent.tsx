import type { z } from 'zod'
import { type Consent, consentInput, consentsApi } from '../../contract/consents.ts'
import { useWrite } from '../core/api/hooks.ts'
import { phrase, useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import type { Fields } from '../record/record-facts.tsx'
import { RecordField } from '../record/record-fields.tsx'
import { useSchemaForm } from '../record/schema-form.ts'

type Sent = z.output<typeof consentInput>
export const kindText = (kind: string) => phrase(`customers:consents.kinds.${kind as Consent['kind']}`)

const consentFields: Fields<Sent> = {
  schema: consentInput,
  rows: {
    address: { label: 'customers:email' },
    kind: { label: 'customers:consents.kind', words: kindText },
    proof: { label: 'customers:consents.proof', hint: 'customers:consents.proofHint' },
  },
}

interface Props {
  address: string
  onDone?: (consent: Consent) => void
  onClose: () => void
}

/** Writes down what somebody said of offers. */
export function RecordConsent({ address, onDone, onClose }: Props) {
  const t = useT('customers')
  const record = useWrite(consentsApi.record)
  const form = useSchemaForm<{ address: string; kind: string; proof: string }, Sent>(consentInput, {
    address,
    kind: '',
    proof: '',
  })
  return (
    <FormDialog
      form={form}
      title={t('customers:consents.recordTitle')}
      action={t('customers:consents.save')}
      onSave={async (input) => {
        const { consent, isAllowedAgain, suppressed } = await record.mutateAsync(input)
        onDone?.(consent)
        if (suppressed) toast.warning(t(`customers:consents.savedBut.${suppressed}`, { address }))
        else toast.success(t(`customers:consents.${isAllowedAgain ? 'savedAgain' : 'saved'}`, { address }))
      }}
      onClose={onClose}
    >
      <p className="no-margin">
        <bdi className="strong">{address}</bdi>
      </p>
      <RecordField of={consentFields} control={form.control} name="kind" />
      <RecordField of={consentFields} control={form.control} name="proof" />
      <p className="muted small no-margin">{t('customers:consents.forGood')}</p>
    </FormDialog>
  )
}

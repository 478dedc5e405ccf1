import { TextInput } from '@mantine/core'
import { refundMethods } from '../../contract/refunds.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { methodText } from './payment-columns.tsx'
import type { PayeeField, RefundForm } from './refund-form.ts'

const payeeFields: readonly PayeeField[] = ['accountName', 'bsb', 'accountNumber']

/** How the money goes back: the way it came, to a bank account, or in cash. */
export function RefundWay({ form }: { form: RefundForm }) {
  const t = useT('payments')
  if (!form.target) return null
  const method = methodText(form.target.method)
  const goesToCard = form.isCard && form.method === 'original'
  const byHand = form.isAsked ? 'payments:refund.byHandLater' : 'payments:refund.byHand'
  const byWhom = goesToCard ? 'payments:refund.toCard' : byHand
  return (
    <>
      <ChoiceInput
        label={t('payments:refund.way')}
        description={t(byWhom)}
        data={refundMethods.map((value) => ({ value, label: t(`payments:refund.ways.${value}`, { method }) }))}
        value={form.method}
        error={form.errorOf('method') ?? form.errorOf('payee')}
        onChange={form.setMethod}
      />
      {form.method === 'bank' ? (
        <fieldset className="plain-fieldset payment-fields">
          <legend className="payment-legend small">{t('payments:refund.payee')}</legend>
          {payeeFields.map((field) => (
            <TextInput
              key={field}
              className={field === 'accountName' ? 'payment-difference' : ''}
              label={t(`payments:refund.${field}`)}
              value={form.payee[field]}
              error={form.errorOf(`payee.${field}`)}
              maxLength={field === 'accountName' ? 80 : 10}
              {...(field === 'accountName' ? {} : { inputMode: 'numeric', dir: 'ltr' })}
              description={field === 'accountNumber' ? t('payments:refund.payeeHint') : undefined}
              onChange={(event) => form.setPayee(field, event.currentTarget.value)}
            />
          ))}
        </fieldset>
      ) : null}
    </>
  )
}

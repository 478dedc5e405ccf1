import type { PublicBusiness } from '../../contract/businesses.ts'
import type { ServiceInvoice } from '../../contract/service.ts'
import { useT } from '../core/i18n/i18n.ts'
import { unbroken } from '../core/ui/unbroken.tsx'
import { CopyRow, Panel } from './parts.tsx'

const digits = (text: string) => text.replace(/\D/g, '')
const shownBsb = (bsb: string) => `${digits(bsb).slice(0, 3)}-${digits(bsb).slice(3)}`

interface BankProps {
  invoice: Pick<ServiceInvoice, 'number'>
  business: PublicBusiness
}

export function BankRows({ invoice, business }: BankProps) {
  const t = useT('service')
  const account = business.bankAccount
  if (!account) return null
  return (
    <dl className="copy-rows">
      <CopyRow label={t('service:bank.name')} value={account.accountName} />
      <CopyRow label={t('service:bank.bsb')} value={shownBsb(account.bsb)} copied={digits(account.bsb)} />
      <CopyRow label={t('service:bank.account')} value={account.accountNumber} />
      {account.payId ? <CopyRow label={t('service:bank.payId')} value={account.payId} /> : null}
      <CopyRow label={t('service:bank.reference')} value={invoice.number} />
    </dl>
  )
}

/** Paying by transfer: everything to copy, and the reference by which the money finds its invoice. */
export function BankPanel({ invoice, business }: BankProps) {
  const t = useT('service')
  if (!business.bankAccount) return null
  return (
    <Panel title={t('service:bank.title')} className="no-print">
      <p className="muted no-margin">{unbroken(t('service:bank.text', { number: invoice.number }))}</p>
      <BankRows invoice={invoice} business={business} />
    </Panel>
  )
}

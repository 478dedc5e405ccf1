import type { paymentsApi } from '../../contract/payments.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Money } from '../core/ui/money.tsx'
import { accountName } from './said.ts'
import './entry-lines.css'

/** The lines of an entry: account, debit, credit. */
export function EntryLines({ lines }: Pick<ItemOf<typeof paymentsApi.journals>, 'lines'>) {
  const t = useT('accounting')
  return (
    <table className="journal-lines">
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('accounting:trial.account')}</th>
          <th scope="col">{t('accounting:journal.debit')}</th>
          <th scope="col">{t('accounting:journal.credit')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <tr key={`${line.account} ${index}`}>
            <td>
              <span className="muted tabular">{line.account}</span> {accountName(line.accountName, line.accountRole)}
            </td>
            <td className="end tabular">{line.debitCents ? <Money cents={line.debitCents} /> : null}</td>
            <td className="end tabular">{line.creditCents ? <Money cents={line.creditCents} /> : null}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

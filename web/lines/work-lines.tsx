import { isText } from '../../contract/core/money.ts'
import { isNumberedByName } from '../../contract/shown-lines.ts'
import type { WorkOrder } from '../../contract/orders.ts'
import { useFormat } from '../core/i18n/format.ts'
import { unbroken } from '../core/ui/unbroken.tsx'
import { LineAnswers } from './line-answers.tsx'
import { LinesTable } from './lines-table.tsx'
import { unitText } from './unit-text.ts'

/** What is to be done, without what it comes to. */
export function WorkLines({ lines }: { lines: WorkOrder['lines'] }) {
  const f = useFormat()
  return (
    <LinesTable columns={['quantity']}>
      {lines.map((line) => {
        const description = line.description ? <p className="document-text">{line.description}</p> : null
        return isText(line) ? (
          <tr key={line.guid} className={`document-${line.kind}`}>
            <th colSpan={2} scope="rowgroup">
              {unbroken(line.name)}
              {description}
            </th>
          </tr>
        ) : (
          <tr key={line.guid} {...(line.parentLineGuid ? { className: 'document-child' } : {})}>
            <td>
              <span className="strong">
                <bdi>{unbroken(line.name)}</bdi>
              </span>
              <LineAnswers line={line} />
              {description}
            </td>
            <td className="end tabular nowrap">
              {isNumberedByName(line) && line.quantity === '1' ? '' : f.quantity(line.quantity)}{' '}
              {line.unit === 'each' ? '' : <span className="muted">{unitText(line.unit, line.quantity)}</span>}
            </td>
          </tr>
        )
      })}
    </LinesTable>
  )
}

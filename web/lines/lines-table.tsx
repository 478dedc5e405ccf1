import type { ReactNode } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import './lines.css'

interface LinesTableProps {
  /** What stands beside the name of a line. */
  columns: readonly ('quantity' | 'price' | 'amount')[]
  label?: string | undefined
  children: ReactNode
}

/** The frame of lines that are read: a table that scrolls where it is too wide. */
export function LinesTable({ columns, label, children }: LinesTableProps) {
  const t = useT('lines')
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label ?? t('lines:title')}>
      <table className="plain-table document-lines">
        <thead>
          <tr>
            <th scope="col">{t('lines:name')}</th>
            {columns.map((column) => (
              <th key={column} scope="col" className="end">
                {t(`lines:${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

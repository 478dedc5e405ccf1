import type { ReactNode } from 'react'
import { businessesApi } from '../../contract/businesses.ts'
import { formatAbn } from '../../contract/core/abn.ts'
import { useRead } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'

interface Props {
  title: string
  subtitle: string
  /** The last day it tells of, and the first where it is about a period. */
  to: string
  from?: string | null | undefined
  crumbs?: { to: string; label: string }[]
  actions: ReactNode
}

/** The head of a report of the books: whose they are and which days, so that a printed page says so too. */
export function ReportHead({ to, from, ...head }: Props) {
  const t = useT('accounting')
  const f = useFormat()
  const read = useRead(businessesApi.current, {}).data
  const own = read?.businesses.find(({ guid }) => guid === read.business.guid)
  const brands = read?.businesses.filter(({ entityGuid }) => entityGuid === own?.entityGuid).length ?? 1
  const abn = read?.business.abn
  return (
    <PageHeader
      {...head}
      below={
        read ? (
          <p className="no-margin">
            <bdi className="strong">{own?.legalName ?? read.business.name}</bdi>
            {[
              ...(abn ? [t('accounting:statement.abn', { abn: formatAbn(abn) })] : []),
              ...(brands > 1 ? [t('accounting:allBusinesses')] : []),
              from
                ? t('accounting:statement.period', { from: f.date(from), to: f.date(to) })
                : t('accounting:statement.asAt', { day: f.date(to) }),
            ].map((part) => (
              <span key={part} className="muted">
                {' · '}
                {part}
              </span>
            ))}
          </p>
        ) : null
      }
    />
  )
}

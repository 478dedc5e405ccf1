import { Button } from '@mantine/core'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'

interface Props {
  page: number
  /** Of all rows, and how many a page has. */
  count: number
  size: number
  onPage: (page: number) => void
}

/** Back and on through the pages of a report; nothing where one has all. */
export function PageSteps({ page, count, size, onPage }: Props) {
  const t = useT('accounting')
  const f = useFormat()
  const pages = Math.max(Math.ceil(count / size), 1)
  if (pages === 1) return null
  return (
    <div className="row spread no-print">
      <Button variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t('accounting:ledger.before')}
      </Button>
      <span className="muted">{t('accounting:ledger.page', { page: f.number(page), pages: f.number(pages) })}</span>
      <Button variant="default" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {t('accounting:ledger.after')}
      </Button>
    </div>
  )
}

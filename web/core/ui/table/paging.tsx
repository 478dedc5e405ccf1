import { ActionIcon, NativeSelect } from '@mantine/core'
import { useFormat } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import { stepping } from '../kit-button.tsx'
import { pageNumbers } from './page-numbers.ts'
import type { ListState } from './list-state.ts'
import type { ListPage } from './types.ts'

const sizes = ['2', '3', '10', '25', '50', '100']

export interface PagingProps {
  state: ListState
  page: ListPage<unknown>['page']
  count: number
  /** What is paged, where it stands within a page that has pages of its own. */
  of?: string
  /** The column whose order no head shows. */
  sortedBy: string | null
}

export function Paging({ state, page, count, of, sortedBy }: PagingProps) {
  const t = useT('common')
  const { number } = useFormat()
  const { value, isExact } = page.total
  const last = Math.max(1, Math.ceil(value / state.size))
  const start = (state.page - 1) * state.size + 1
  const total = isExact ? number(value) : t('common:paging.orMore', { count: number(value) })
  const order = state.sort.startsWith('-') ? 'common:paging.descending' : 'common:paging.ascending'
  // Pages reach as far as the total is counted.
  const hasNext = state.page < last
  return (
    <div className="paging">
      <p className="paging-range tabular" aria-live="polite">
        {t('common:paging.range', { from: number(start), to: number(start + count - 1), total })}
        {sortedBy === null ? null : ` · ${t(order, { column: sortedBy })}`}
      </p>
      <div className="paging-controls no-print">
        <NativeSelect
          aria-label={t('common:paging.size')}
          data={sizes}
          value={String(state.size)}
          onChange={(event) => state.set({ size: event.currentTarget.value })}
          size="sm"
          w={84}
        />
        <nav
          aria-label={of === undefined ? t('common:paging.label') : `${of}: ${t('common:paging.label')}`}
          className="paging-pages"
        >
          <ActionIcon
            variant="default"
            size={34}
            aria-label={t('common:paging.previous')}
            {...stepping(state.page <= 1, () => state.set({ page: state.page - 1 }))}
          >
            <span className="flip">
              <Icon name="back" size={16} />
            </span>
          </ActionIcon>
          {pageNumbers(state.page, last).map((n, i) =>
            n === 0 ? (
              // oxlint-disable-next-line react/no-array-index-key -- gaps have no name of their own
              <span key={`gap-${i}`} className="paging-gap" aria-hidden="true">
                …
              </span>
            ) : (
              <button
                key={n}
                type="button"
                className="page-button"
                aria-current={n === state.page ? 'page' : undefined}
                aria-label={t('common:paging.page', { page: number(n) })}
                onClick={() => state.set({ page: n })}
              >
                {number(n)}
              </button>
            ),
          )}
          <ActionIcon
            variant="default"
            size={34}
            aria-label={t('common:paging.next')}
            {...stepping(!hasNext, () => state.set({ page: state.page + 1 }))}
          >
            <span className="flip">
              <Icon name="next" size={16} />
            </span>
          </ActionIcon>
        </nav>
      </div>
    </div>
  )
}

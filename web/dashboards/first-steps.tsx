import { customersApi } from '../../contract/customers.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { pathOf } from '../../contract/nouns.ts'
import { Can } from '../core/api/can-show.tsx'
import { useT } from '../core/i18n/i18n.ts'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { AppLink } from '../core/ui/link.tsx'

/** Before there is anything to count: where to begin. */
export function FirstSteps() {
  const t = useT('dashboards')
  return (
    <EmptyState
      title={t('dashboards:first.title')}
      text={t('dashboards:first.text')}
      action={
        <span className="row empty-action">
          <Can op={customersApi.create}>
            <AppLink to={pathOf('Customers', 'add')} className="button-link quiet">
              {t('dashboards:first.customer')}
            </AppLink>
          </Can>
          <Can op={quotesApi.create}>
            <AppLink to={pathOf('Quotes', 'add')} className="button-link">
              {t('dashboards:first.quote')}
            </AppLink>
          </Can>
        </span>
      }
    />
  )
}

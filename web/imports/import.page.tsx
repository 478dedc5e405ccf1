import { useSearch } from '@tanstack/react-router'
import { pathTo } from '../../contract/nouns.ts'
import { useT } from '../core/i18n/i18n.ts'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { ImportHistory } from './import-history.tsx'
import { ImportView } from './import-view.tsx'
import { ImportWizard } from './import-wizard.tsx'
import './imports.css'

/** Takes a file of customers in, step by step; `import` in the address is one that has begun. */
export function Page() {
  const t = useT('imports', 'customers')
  const { import: guid } = useSearch({ strict: false }) as { import?: string }
  return (
    <>
      <PageHeader
        title={t('imports:title')}
        subtitle={t('imports:subtitle')}
        crumbs={[{ to: pathTo('Customers'), label: t('customers:list.title') }]}
      />
      <div className="stack import-page">
        {guid ? (
          <ImportView key={guid} guid={guid} />
        ) : (
          <>
            <div className="card import-phone">
              <EmptyState scene="list" title={t('imports:phone')} />
            </div>
            <div className="import-desk">
              <ImportWizard />
            </div>
          </>
        )}
        <ImportHistory />
      </div>
    </>
  )
}

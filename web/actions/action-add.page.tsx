import { actionsApi } from '../../contract/actions.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { ActionForm } from './action-form.tsx'
import { emptyAction } from './action-values.ts'

export function Page() {
  const t = useT('actions', 'record')
  const go = useGo()
  const choices = useRead(actionsApi.choices, {})
  const create = useWrite(actionsApi.create)
  return (
    <>
      <PageHeader title={t('actions:add')} crumbs={[{ to: pathTo('Actions'), label: t('actions:list.title') }]} />
      <Loaded of={choices}>
        {(known) => (
          <ActionForm
            defaults={emptyAction}
            choices={known}
            saveLabel={t('actions:saveDraft')}
            save={async (input) => {
              const { action } = await create.mutateAsync(input)
              toast.success(t('actions:saved', { name: action.name }))
              await go(pathTo('Actions', action.guid))
            }}
          />
        )}
      </Loaded>
    </>
  )
}

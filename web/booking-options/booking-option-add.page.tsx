import { bookingOptionsApi } from '../../contract/booking-options-api.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { OptionBuilder } from './option-builder.tsx'
import { valuesOfOption } from './option-fields.tsx'

export function Page() {
  const t = useT('options')
  const go = useGo()
  const create = useWrite(bookingOptionsApi.create)
  return (
    <>
      <PageHeader
        title={t('options:add.title')}
        crumbs={[{ to: pathTo('BookingOptions'), label: t('options:list.title') }]}
      />
      <OptionBuilder
        defaults={valuesOfOption()}
        added={[]}
        saveLabel={t('options:create')}
        save={async (input) => {
          const { bookingOption } = await create.mutateAsync(input)
          toast.success(t('options:made', { name: bookingOption.label.en }))
          await go(pathTo('BookingOptions', bookingOption.guid))
        }}
      />
    </>
  )
}

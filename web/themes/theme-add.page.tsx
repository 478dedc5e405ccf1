import { businessesApi } from '../../contract/businesses.ts'
import { plainLook } from '../../contract/dress.ts'
import { pathTo } from '../../contract/nouns.ts'
import { themesApi } from '../../contract/themes.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useGo } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { newTheme, warnOfWeak } from './theme-fields.ts'
import { ThemeForm } from './theme-form.tsx'

/** A new theme begins with the colour of the business; it is shown on the papers of its default theme. */
export function Page() {
  const business = useRead(businessesApi.current, {}, { staleTime: Number.POSITIVE_INFINITY })
  const themes = useRead(themesApi.list, { size: 100 })
  return (
    <Loaded of={business}>
      {({ business: own }) => (
        <Loaded of={themes}>
          {({ items }) => {
            const worn = items.find(({ isDefault }) => isDefault) ?? items[0]
            return worn ? <Add guid={worn.guid} colour={own.primaryColour} /> : null
          }}
        </Loaded>
      )}
    </Loaded>
  )
}

function Add({ guid, colour }: { guid: string; colour: string }) {
  const t = useT('themes')
  const go = useGo()
  const create = useWrite(themesApi.create)
  return (
    <ThemeForm
      isNew
      guid={guid}
      defaults={newTheme(plainLook(colour))}
      title={t('themes:add.title')}
      crumbs={[{ to: pathTo('Themes'), label: t('themes:list.title') }]}
      saveLabel={t('themes:create')}
      save={async (input) => {
        const { theme } = await create.mutateAsync(input)
        toast.success(t('themes:made', { name: theme.name }))
        warnOfWeak(t, theme.latest)
        await go(pathTo('Themes', theme.guid))
      }}
    />
  )
}

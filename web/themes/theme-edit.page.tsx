import { pathTo } from '../../contract/nouns.ts'
import { type Theme, themesApi } from '../../contract/themes.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { OwnBusiness } from '../record/own-business.tsx'
import { useSaving } from '../record/saving.tsx'
import { edited, themeFields, valuesOfTheme, warnOfWeak } from './theme-fields.ts'
import { ThemeForm } from './theme-form.tsx'

export function Page() {
  const guid = useGuid()
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(themesApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <Loaded of={read}>
      {({ theme }) => (
        <OwnBusiness noun="Themes" of={theme}>
          <Editor key={theme.guid} first={theme} />
        </OwnBusiness>
      )}
    </Loaded>
  )
}

function Editor({ first }: { first: Theme }) {
  const t = useT('themes')
  const go = useGo()
  const update = useWrite(themesApi.update)
  const { base, round, save, dialog } = useSaving({
    first: edited(first),
    noun: 'theme',
    fields: themeFields,
    of: (current: Theme) => edited(current),
    send: async (version, changes) =>
      edited((await update.mutateAsync({ guid: first.guid, version, ...changes })).theme),
  })
  return (
    <>
      <ThemeForm
        key={round}
        guid={base.guid}
        defaults={valuesOfTheme(base)}
        title={t('themes:edit.of', { name: base.name })}
        crumbs={[
          { to: pathTo('Themes'), label: t('themes:list.title') },
          { to: pathTo('Themes', base.guid), label: base.name },
        ]}
        saveLabel={t('themes:saveVersion')}
        save={async (_input, changes) => {
          const saved = await save(changes)
          toast.success(t('themes:saved', { name: saved.name }))
          warnOfWeak(t, saved)
          await go(pathTo('Themes', saved.guid))
        }}
      />
      {dialog}
    </>
  )
}

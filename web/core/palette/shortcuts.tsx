import { CloseButton, Switch } from '@mantine/core'
import { useT } from '../i18n/i18n.ts'
import { closeOverlay } from '../layout/overlays.ts'
import { usePages } from '../layout/use-pages.ts'
import { useStore } from '../store.ts'
import { closeKey, letterKeys, paletteKeys, saveKeys, setLetterKeys } from './keys.ts'
import { Sheet } from './sheet.tsx'

interface Shortcut {
  keys: readonly string[]
  label: string
}

function Keys({ title, of: shortcuts }: { title: string; of: Shortcut[] }) {
  if (!shortcuts.length) return null
  return (
    <section>
      <h3 className="palette-group">{title}</h3>
      <dl className="shortcut-list">
        {shortcuts.map(({ keys, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key} className="key">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Every shortcut the user may use. */
export function Shortcuts() {
  const t = useT('palette', 'shell', 'common')
  const { navigation, commands } = usePages()
  const isOn = useStore(letterKeys)
  const pages = navigation.flatMap((page) =>
    page.nav.keys ? [{ keys: page.nav.keys.split(' '), label: t(page.nav.label) }] : [],
  )
  const actions = commands.flatMap((page) =>
    page.command.keys ? [{ keys: page.command.keys.split(' '), label: t(page.command.label) }] : [],
  )
  const general = [
    { keys: paletteKeys, label: t('palette:title') },
    { keys: ['?'], label: t('shell:shortcuts') },
    { keys: ['Alt', 'B'], label: t('shell:business.switch') },
    { keys: saveKeys, label: t('palette:saveForm') },
    { keys: [closeKey], label: t('common:close') },
  ]
  return (
    <Sheet label={t('shell:shortcuts')} className="shortcuts">
      <div className="row spread shortcuts-head">
        <h2 className="card-title">{t('shell:shortcuts')}</h2>
        <CloseButton aria-label={t('common:close')} onClick={closeOverlay} />
      </div>
      <div className="shortcut-columns">
        <Keys title={t('palette:general')} of={general} />
        <Keys title={t('palette:actions')} of={actions} />
        <Keys title={t('palette:goTo')} of={pages} />
      </div>
      <Switch
        label={t('palette:letterKeys')}
        description={t('palette:letterKeysHint')}
        checked={isOn}
        onChange={(event) => setLetterKeys(event.currentTarget.checked)}
      />
    </Sheet>
  )
}

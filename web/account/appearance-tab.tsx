import { useT } from '../core/i18n/i18n.ts'
import { openOverlay } from '../core/layout/overlays.ts'
import { setLayout, setTheme, useLayoutSettings, useThemeSettings } from '../core/theme/settings.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { Icon } from '../core/ui/icon.tsx'

const themes = ['light', 'dark', 'system'] as const
const skins = ['default', 'bordered'] as const
const widths = ['fluid', 'boxed'] as const

function Choice({
  isOn,
  label,
  onPick,
  picture,
}: {
  isOn: boolean
  label: string
  onPick: () => void
  picture: React.ReactNode
}) {
  return (
    <button type="button" className="theme-card" aria-pressed={isOn} onClick={onPick}>
      {picture}
      <span className="theme-name">
        {isOn ? <Icon name="check" size={18} /> : null}
        {label}
      </span>
    </button>
  )
}

const Picture = (data: { theme?: string; skin?: string }) => (
  <span className="theme-picture" data-theme={data.theme} data-skin={data.skin} aria-hidden="true">
    <span />
    <span />
  </span>
)

/** How the product looks on this browser. */
export function AppearanceTab() {
  const t = useT('account', 'shell')
  const theme = useThemeSettings()
  const layout = useLayoutSettings()
  return (
    <Card
      title={t('account:appearance.title')}
      actions={
        <ActionButton variant="default" icon="settings" onClick={() => openOverlay('customiser')}>
          {t('account:appearance.more')}
        </ActionButton>
      }
    >
      <div className="stack appearance">
        <p className="muted no-margin">{t('account:appearance.text')}</p>
        <fieldset className="theme-cards">
          <legend>{t('shell:customiser.theme')}</legend>
          {themes.map((name) => (
            <Choice
              key={name}
              isOn={theme.theme === name}
              label={t(`shell:theme.${name}`)}
              onPick={() => setTheme({ theme: name })}
              picture={<Picture theme={name} />}
            />
          ))}
        </fieldset>
        <fieldset className="theme-cards">
          <legend>{t('shell:customiser.skin')}</legend>
          {skins.map((name) => (
            <Choice
              key={name}
              isOn={theme.skin === name}
              label={t(`shell:skin.${name}`)}
              onPick={() => setTheme({ skin: name })}
              picture={<Picture skin={name} />}
            />
          ))}
        </fieldset>
        <fieldset className="theme-cards">
          <legend>{t('shell:customiser.width')}</legend>
          {widths.map((name) => (
            <Choice
              key={name}
              isOn={layout.contentWidth === name}
              label={t(`shell:width.${name}`)}
              onPick={() => setLayout({ contentWidth: name })}
              picture={null}
            />
          ))}
        </fieldset>
      </div>
    </Card>
  )
}

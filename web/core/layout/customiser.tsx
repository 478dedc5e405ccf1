import { Alert, Button, ColorInput, Drawer, SegmentedControl, Switch } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useT } from '../i18n/i18n.ts'
import { brandColour, contrast, shadesOf } from '../theme/colours.ts'
import {
  setLayout,
  setTheme,
  standardLayout,
  standardTheme,
  useLayoutSettings,
  useThemeSettings,
} from '../theme/settings.ts'
import { closeOverlay } from './overlays.ts'

const swatches = ['#7367F0', '#0D9394', '#2E7D32', '#B25E00', '#C2185B', '#1565C0', '#5D596C']
/** WCAG AA for text. */
const leastContrast = 4.5

interface ChoiceProps<V extends string> {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  onPick: (value: V) => void
}

function Choice<V extends string>({ label, value, options, onPick }: ChoiceProps<V>) {
  return (
    <Part label={label}>
      <SegmentedControl
        fullWidth
        aria-label={label}
        value={value}
        onChange={(next) => onPick(next as V)}
        data={[...options]}
      />
    </Part>
  )
}

function Part({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label}>
      <p className="customiser-label">{label}</p>
      {children}
    </div>
  )
}

const isHex = (text: string) => /^#[0-9a-f]{6}$/i.test(text)
const ratioOf = (hex: string) => Math.round(contrast(hex, '#ffffff') * 10) / 10

/** A colour that is too light for white text may be chosen all the same: buttons then take a darker shade of it. */
function Primary({ label, value, onPick }: { label: string; value: string; onPick: (hex: string) => void }) {
  const t = useT('shell')
  const [draft, setDraft] = useState(value)
  const change = (hex: string) => {
    setDraft(hex)
    if (isHex(hex)) onPick(hex)
  }
  const filled = shadesOf(value)[7] ?? brandColour
  const isLight = contrast(value, '#ffffff') < leastContrast
  return (
    <div className="stack tight">
      <ColorInput
        label={label}
        format="hex"
        fixOnBlur={false}
        value={draft}
        onChange={change}
        error={isHex(draft) ? null : t('shell:customiser.noColour')}
        swatches={swatches}
        swatchesPerRow={7}
        eyeDropperButtonProps={{ 'aria-label': t('shell:customiser.pick') }}
      />
      <div className="colour-proof" role="status">
        <span className="colour-sample" style={{ background: filled }}>
          {t('shell:customiser.sample')}
        </span>
        <span className="small">
          {isLight
            ? t('shell:customiser.tooLight', { ratio: ratioOf(value), filled, better: ratioOf(filled) })
            : t('shell:customiser.contrast', { ratio: ratioOf(value) })}
        </span>
      </div>
    </div>
  )
}

type NavLayout = 'vertical' | 'collapsed' | 'horizontal'

/** How the product looks to this person, on this browser. */
export function Customiser() {
  const t = useT('shell', 'common')
  const theme = useThemeSettings()
  const layout = useLayoutSettings()
  const nav: NavLayout =
    theme.layoutNav === 'horizontal' ? 'horizontal' : layout.isNavCollapsed ? 'collapsed' : 'vertical'
  const pickNav = (value: NavLayout) => {
    setTheme({ layoutNav: value === 'horizontal' ? 'horizontal' : 'vertical' })
    if (value !== 'horizontal') setLayout({ isNavCollapsed: value === 'collapsed' })
  }
  const options = <V extends string>(of: readonly V[], word: (value: V) => string) =>
    of.map((value) => ({ value, label: word(value) }))
  const isAbove = nav === 'horizontal'
  // The fields of the colours begin anew when everything is reset.
  const [resets, setResets] = useState(0)
  return (
    <Drawer
      opened
      onClose={closeOverlay}
      position="right"
      size="sm"
      title={t('shell:customise')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={{ title: 'peek-title' }}
    >
      <div className="stack customiser">
        <Choice
          label={t('shell:customiser.theme')}
          value={theme.theme}
          options={options(['light', 'dark', 'system'] as const, (value) => t(`shell:theme.${value}`))}
          onPick={(value) => setTheme({ theme: value })}
        />
        <Choice
          label={t('shell:customiser.skin')}
          value={theme.skin}
          options={options(['default', 'bordered'] as const, (value) => t(`shell:skin.${value}`))}
          onPick={(value) => setTheme({ skin: value })}
        />
        <Part label={t('shell:customiser.primary')}>
          <div className="stack">
            <Primary
              key={`light ${resets}`}
              label={t('shell:customiser.primaryLight')}
              value={theme.primaryLight}
              onPick={(primaryLight) => setTheme({ primaryLight })}
            />
            <Primary
              key={`dark ${resets}`}
              label={t('shell:customiser.primaryDark')}
              value={theme.primaryDark}
              onPick={(primaryDark) => setTheme({ primaryDark })}
            />
          </div>
        </Part>
        <Choice
          label={t('shell:customiser.nav')}
          value={nav}
          options={options(['vertical', 'collapsed', 'horizontal'] as const, (value) => t(`shell:navLayout.${value}`))}
          onPick={pickNav}
        />
        <Choice
          label={t('shell:customiser.width')}
          value={layout.contentWidth}
          options={options(['fluid', 'boxed'] as const, (value) => t(`shell:width.${value}`))}
          onPick={(contentWidth) => setLayout({ contentWidth })}
        />
        <Choice
          label={t('shell:customiser.navbar')}
          value={theme.navbarType}
          options={options(['sticky', 'static'] as const, (value) => t(`shell:position.${value}`))}
          onPick={(navbarType) => setTheme({ navbarType })}
        />
        {isAbove ? (
          <Choice
            label={t('shell:customiser.horizontalNav')}
            value={theme.horizontalNavType}
            options={options(['sticky', 'static'] as const, (value) => t(`shell:position.${value}`))}
            onPick={(horizontalNavType) => setTheme({ horizontalNavType })}
          />
        ) : null}
        <Choice
          label={t('shell:customiser.footer')}
          value={theme.footerType}
          options={options(['static', 'sticky', 'hidden'] as const, (value) => t(`shell:position.${value}`))}
          onPick={(footerType) => setTheme({ footerType })}
        />
        <Switch
          label={t('shell:customiser.blur')}
          checked={layout.isNavbarBlurred}
          onChange={(event) => setLayout({ isNavbarBlurred: event.currentTarget.checked })}
        />
        <Alert variant="light" color="gray">
          {t('shell:customiser.kept')}
        </Alert>
        <Button
          variant="default"
          onClick={() => {
            setTheme(standardTheme)
            setLayout(standardLayout)
            setResets(resets + 1)
          }}
        >
          {t('shell:customiser.reset')}
        </Button>
      </div>
    </Drawer>
  )
}

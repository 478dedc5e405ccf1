import { Button, ColorInput, Drawer, SegmentedControl, Switch } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useT } from '../i18n/i18n.ts'
import { brandColour, contrast, shadesOf } from '../theme/colours.ts'
import { setLayout, setTheme, useLayoutSettings, useThemeSettings } from '../theme/settings.ts'

const swatches = ['#7367F0', '#0D9394', '#2E7D32', '#B25E00', '#C2185B', '#1565C0', '#5D596C']

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className="customiser-choice">
      <p className="customiser-label">{label}</p>
      {children}
    </div>
  )
}

function Primary({ label, value, onPick }: { label: string; value: string; onPick: (hex: string) => void }) {
  const t = useT('shell')
  const [draft, setDraft] = useState(value)
  const ratio = contrast(shadesOf(draft)[7] ?? brandColour, '#ffffff')
  const change = (hex: string) => {
    setDraft(hex)
    if (/^#[0-9a-f]{6}$/i.test(hex)) onPick(hex)
  }
  return <ColorInput label={label} format="hex" value={draft} onChange={change} swatches={swatches} swatchesPerRow={7} description={t('shell:customiser.contrast', { ratio: Math.round(ratio * 10) / 10 })} eyeDropperButtonProps={{ 'aria-label': t('shell:customiser.pick') }} />
}

/** How the product looks to this person. */
export function Customiser({ onClose }: { onClose: () => void }) {
  const t = useT('shell', 'common')
  const theme = useThemeSettings()
  const layout = useLayoutSettings()
  const reset = () => {
    setTheme({ theme: 'system', skin: 'default', primaryLight: brandColour, primaryDark: brandColour })
    setLayout({ isNavbarBlurred: true, isNavCollapsed: false, contentWidth: 'fluid' })
    onClose()
  }
  return (
    <Drawer opened onClose={onClose} position="right" size="sm" title={t('shell:customise')} closeButtonProps={{ 'aria-label': t('common:close') }} classNames={{ title: 'peek-title' }}>
      <div className="stack customiser">
        <Choice label={t('shell:customiser.theme')}>
          <SegmentedControl fullWidth value={theme.theme} onChange={(value) => setTheme({ theme: value as typeof theme.theme })} data={(['light', 'dark', 'system'] as const).map((value) => ({ value, label: t(`shell:theme.${value}`) }))} />
        </Choice>
        <Choice label={t('shell:customiser.skin')}>
          <SegmentedControl fullWidth value={theme.skin} onChange={(value) => setTheme({ skin: value as typeof theme.skin })} data={(['default', 'bordered'] as const).map((value) => ({ value, label: t(`shell:skin.${value}`) }))} />
        </Choice>
        <Choice label={t('shell:customiser.primary')}>
          <div className="stack">
            <Primary label={t('shell:customiser.primaryLight')} value={theme.primaryLight} onPick={(primaryLight) => setTheme({ primaryLight })} />
            <Primary label={t('shell:customiser.primaryDark')} value={theme.primaryDark} onPick={(primaryDark) => setTheme({ primaryDark })} />
          </div>
        </Choice>
        <Choice label={t('shell:customiser.width')}>
          <SegmentedControl fullWidth value={layout.contentWidth} onChange={(value) => setLayout({ contentWidth: value as typeof layout.contentWidth })} data={(['fluid', 'boxed'] as const).map((value) => ({ value, label: t(`shell:width.${value}`) }))} />
        </Choice>
        <Switch label={t('shell:customiser.collapsed')} checked={layout.isNavCollapsed} onChange={(event) => setLayout({ isNavCollapsed: event.currentTarget.checked })} />
        <Switch label={t('shell:customiser.blur')} checked={layout.isNavbarBlurred} onChange={(event) => setLayout({ isNavbarBlurred: event.currentTarget.checked })} />
        <Button variant="default" onClick={reset}>
          {t('shell:customiser.reset')}
        </Button>
      </div>
    </Drawer>
  )
}

import {
  DirectionProvider,
  MantineProvider,
  createTheme,
  useDirection,
  virtualColor,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { cspNonce } from '../config.ts'
import { useLanguage } from '../i18n/i18n.ts'
import { isRtl } from '../../../contract/core/languages.ts'
import { floatingId } from '../layout/floating.ts'
import { kitButton } from '../ui/kit-button.tsx'
import { rolesOf, shadesOf } from './colours.ts'
import { useThemeSettings, type ThemeSettings } from './settings.ts'

const darkScale: MantineColorsTuple = [
  '#E1DEF5',
  '#CFCDE4',
  '#ACABC1',
  '#76778E',
  '#44485E',
  '#3D4157',
  '#2F3349',
  '#25293C',
  '#1F2233',
  '#171925',
]
const grayScale: MantineColorsTuple = [
  '#FAFAFB',
  '#F3F2F5',
  '#E6E5E9',
  '#DBDADE',
  '#C9C8CE',
  '#A5A3AE',
  '#6D6B77',
  '#5D596C',
  '#444050',
  '#2F2B3D',
]

const makeTheme = (settings: ThemeSettings) =>
  createTheme({
    colors: {
      brandLight: shadesOf(settings.primaryLight),
      brandDark: shadesOf(settings.primaryDark),
      primary: virtualColor({ name: 'primary', light: 'brandLight', dark: 'brandDark' }),
      dark: darkScale,
      gray: grayScale,
    },
    black: '#2F2B3D',
    primaryColor: 'primary',
    primaryShade: { light: 7, dark: 7 },
    defaultRadius: 6,
    respectReducedMotion: true,
    cursorType: 'pointer',
    fontFamily: '"Public Sans Variable", "Readex Pro Variable", system-ui, sans-serif',
    fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", Menlo, monospace',
    headings: { fontWeight: '600' },
    components: {
      // Plain objects: naming the components here would put all of them into the first download.
      Button: { defaultProps: { renderRoot: kitButton } },
      ActionIcon: { defaultProps: { renderRoot: kitButton } },
      Portal: { defaultProps: { target: `#${floatingId}` } },
      Combobox: { defaultProps: { shadow: 'md' } },
      Select: { defaultProps: { withScrollArea: false } },
      MultiSelect: { defaultProps: { withScrollArea: false, selectFirstOptionOnDropdownOpen: true } },
      Menu: { defaultProps: { withInitialFocusPlaceholder: false, shadow: 'md' } },
      Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.5 } } },
      Drawer: { defaultProps: { overlayProps: { backgroundOpacity: 0.5 } } },
      Tooltip: { defaultProps: { withArrow: true, openDelay: 250, events: { hover: true, focus: true, touch: true } } },
    },
  })

const elevations = Object.fromEntries(
  Array.from({ length: 25 }, (_, i) => [
    `--elevation-${i}`,
    i ? `0 ${Math.ceil(i / 2)}px ${4 + i * 1.5}px rgb(var(--shadow-tint) / ${(0.1 + i * 0.004).toFixed(3)})` : 'none',
  ]),
)

const statusColours = { red: '#FF4C51', green: '#28C76F', yellow: '#FF9F43', blue: '#00BAD1' }

/** The soft variants of the kit follow the chips: the colour at 16 %, ink mixed into it. */
const softRoles = (ink: string) =>
  Object.fromEntries(
    Object.entries(statusColours).flatMap(([name, hex]) => [
      [`--mantine-color-${name}-light`, `color-mix(in srgb, ${hex} 16%, transparent)`],
      [`--mantine-color-${name}-light-hover`, `color-mix(in srgb, ${hex} 24%, transparent)`],
      [`--mantine-color-${name}-light-color`, `color-mix(in oklab, ${hex} 38%, ${ink})`],
    ]),
  )

const makeResolver =
  (settings: ThemeSettings): CSSVariablesResolver =>
  () => {
    const light = rolesOf(settings.primaryLight).light
    const dark = rolesOf(settings.primaryDark).dark
    return {
      variables: elevations,
      light: {
        ...softRoles('#2F2B3D'),
        '--shadow-tint': '47 43 61',
        '--mantine-color-body': '#F8F7FA',
        '--mantine-color-text': '#444050',
        '--mantine-color-dimmed': '#6D6B77',
        '--mantine-color-error': '#C9262E',
        '--mantine-color-placeholder': '#716F7C',
        '--app-paper': '#FFFFFF',
        '--app-heading': '#3A3648',
        '--app-line': '#E6E5E9',
        '--app-field-line': '#918F9C',
        '--app-hover': '#F6F5F9',
        '--accent': light.accent,
        '--accent-text': light.text,
        '--chip-ink': '#2F2B3D',
      },
      dark: {
        ...softRoles('#E1DEF5'),
        '--shadow-tint': '19 17 32',
        '--mantine-color-body': '#25293C',
        '--mantine-color-text': '#CFCDE4',
        '--mantine-color-dimmed': '#ACABC1',
        '--mantine-color-error': '#FF8B8F',
        '--mantine-color-placeholder': '#A09FB6',
        '--app-paper': '#2F3349',
        '--app-heading': '#E1DEF5',
        '--app-line': '#44485E',
        '--app-field-line': '#7C8099',
        '--app-hover': '#363B54',
        '--accent': dark.accent,
        '--accent-text': dark.text,
        '--chip-ink': '#E1DEF5',
      },
    }
  }

function Direction() {
  const language = useLanguage()
  const { setDirection } = useDirection()
  useEffect(() => setDirection(isRtl(language) ? 'rtl' : 'ltr'), [language, setDirection])
  return null
}

/** The look of everything: colours per light and dark, elevation, skin, direction. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const settings = useThemeSettings()
  useEffect(() => {
    document.documentElement.dataset.skin = settings.skin
  }, [settings.skin])
  return (
    <DirectionProvider>
      <MantineProvider
        theme={makeTheme(settings)}
        cssVariablesResolver={makeResolver(settings)}
        getStyleNonce={() => cspNonce}
        {...(settings.theme === 'system' ? { defaultColorScheme: 'auto' } : { forceColorScheme: settings.theme })}
      >
        <Direction />
        {children}
      </MantineProvider>
    </DirectionProvider>
  )
}

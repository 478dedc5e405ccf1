import { onStoredElsewhere, readCookie, readStored, writeCookie, writeStored } from '../storage.ts'
import { createStore, useStore } from '../store.ts'
import { brandColour } from './colours.ts'

/** What a person sets once and keeps: remembered in the browser. */
export interface ThemeSettings {
  theme: 'light' | 'dark' | 'system'
  skin: 'default' | 'bordered'
  primaryLight: string
  primaryDark: string
  /** Beside the page or above it; beside it, it may be collapsed (a layout setting). */
  layoutNav: 'vertical' | 'horizontal'
  navbarType: 'sticky' | 'static'
  horizontalNavType: 'sticky' | 'static'
  footerType: 'static' | 'sticky' | 'hidden'
}
export const standardTheme: ThemeSettings = {
  theme: 'system',
  skin: 'default',
  primaryLight: brandColour,
  primaryDark: brandColour,
  layoutNav: 'vertical',
  navbarType: 'sticky',
  horizontalNavType: 'sticky',
  footerType: 'static',
}

/** How the frame stands: cookies of one week. */
export interface LayoutSettings {
  isNavbarBlurred: boolean
  isNavCollapsed: boolean
  contentWidth: 'fluid' | 'boxed'
}
export const standardLayout: LayoutSettings = { isNavbarBlurred: true, isNavCollapsed: false, contentWidth: 'fluid' }

const isHex = (value: unknown): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)

const oneOf = <T extends string>(value: unknown, allowed: readonly T[], otherwise: T): T =>
  allowed.find((name) => name === value) ?? otherwise

function readTheme(): ThemeSettings {
  const stored: Partial<ThemeSettings> = readStored<Partial<ThemeSettings>>('themeSettings')?.value ?? {}
  return {
    theme: oneOf(stored.theme, ['light', 'dark', 'system'], 'system'),
    skin: oneOf(stored.skin, ['default', 'bordered'], 'default'),
    primaryLight: isHex(stored.primaryLight) ? stored.primaryLight : brandColour,
    primaryDark: isHex(stored.primaryDark) ? stored.primaryDark : brandColour,
    layoutNav: oneOf(stored.layoutNav, ['vertical', 'horizontal'], 'vertical'),
    navbarType: oneOf(stored.navbarType, ['sticky', 'static'], 'sticky'),
    horizontalNavType: oneOf(stored.horizontalNavType, ['sticky', 'static'], 'sticky'),
    footerType: oneOf(stored.footerType, ['static', 'sticky', 'hidden'], 'static'),
  }
}

const themeStore = createStore(readTheme())
const layoutStore = createStore<LayoutSettings>({
  isNavbarBlurred: readCookie('navbarBlur') !== 'false',
  isNavCollapsed: readCookie('verticalNavCollapsed') === 'true',
  contentWidth: readCookie('contentWidth') === 'boxed' ? 'boxed' : 'fluid',
})

// Another tab changed the look: this one follows.
onStoredElsewhere((key) => {
  if (key === 'themeSettings') themeStore.set(readTheme())
})

export const useThemeSettings = () => useStore(themeStore)
export const useLayoutSettings = () => useStore(layoutStore)

export function setTheme(change: Partial<ThemeSettings>) {
  themeStore.set({ ...themeStore.get(), ...change })
  writeStored('themeSettings', themeStore.get())
}

export function setLayout(change: Partial<LayoutSettings>) {
  const next = { ...layoutStore.get(), ...change }
  layoutStore.set(next)
  writeCookie('navbarBlur', String(next.isNavbarBlurred))
  writeCookie('verticalNavCollapsed', String(next.isNavCollapsed))
  writeCookie('contentWidth', next.contentWidth)
}

import { readCookie, readStored, writeCookie, writeStored } from '../storage.ts'
import { createStore, useStore } from '../store.ts'
import { brandColour } from './colours.ts'

/** What a person sets once and keeps: remembered in the browser. */
export interface ThemeSettings {
  theme: 'light' | 'dark' | 'system'
  skin: 'default' | 'bordered'
  primaryLight: string
  primaryDark: string
}

/** How the frame stands: cookies of one week. */
export interface LayoutSettings {
  isNavbarBlurred: boolean
  isNavCollapsed: boolean
  contentWidth: 'fluid' | 'boxed'
}

const isHex = (value: unknown): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)

function readTheme(): ThemeSettings {
  const stored: Partial<ThemeSettings> = readStored<Partial<ThemeSettings>>('themeSettings')?.value ?? {}
  return {
    theme: stored.theme === 'light' || stored.theme === 'dark' ? stored.theme : 'system',
    skin: stored.skin === 'bordered' ? 'bordered' : 'default',
    primaryLight: isHex(stored.primaryLight) ? stored.primaryLight : brandColour,
    primaryDark: isHex(stored.primaryDark) ? stored.primaryDark : brandColour,
  }
}

const themeStore = createStore(readTheme())
const layoutStore = createStore<LayoutSettings>({
  isNavbarBlurred: readCookie('navbarBlur') !== 'false',
  isNavCollapsed: readCookie('verticalNavCollapsed') === 'true',
  contentWidth: readCookie('contentWidth') === 'boxed' ? 'boxed' : 'fluid',
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

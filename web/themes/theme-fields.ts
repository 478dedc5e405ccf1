import { themeColours, themeFonts, type Look, type Scheme, type WeakColour, weakColours } from '../../contract/dress.ts'
import { type Theme, themeInput, type ThemeInput, type ThemeVersion } from '../../contract/themes.ts'
import { phraseOr, type T } from '../core/i18n/i18n.ts'
import { toast } from '../core/ui/toast.tsx'
import type { Fields } from '../record/record-facts.tsx'

export const fontText = (font: string) => phraseOr(`themes:fonts.${font}`, font)
export const colourText = (colour: string) => phraseOr(`themes:colours.${colour}`, colour)
export const fontOptions = () => themeFonts.map((value) => ({ value, label: fontText(value) }))

/** Which colours are too weak, each on the ground on which it is read worst. */
export function weakText(t: T, weak: readonly WeakColour[]): string {
  const pairs = weak.map(({ scheme, colour, on, ratio }) =>
    t('themes:weakPair', {
      scheme: t(`themes:${scheme}`),
      colour: colourText(colour),
      ground: colourText(on),
      ratio: ratio.toFixed(2),
    }),
  )
  return `${t('themes:weak', { count: weak.length })} ${pairs.join(' · ')}`
}

/** What was saved may be mended later: only what is worn must be read well. */
export function warnOfWeak(t: T, look: Pick<Look, Scheme>) {
  const weak = weakColours(look)
  if (weak.length > 0) toast.warning(weakText(t, weak))
}

const coloursText = (colours: Look['light'] | null) =>
  themeColours.map((name) => `${colourText(name)} ${colours?.[name] ?? ''}`).join(', ')

/** What is known of a theme, in the order of the form. */
export const themeFields: Fields<ThemeInput> = {
  schema: themeInput,
  rows: {
    name: { label: 'themes:name', hint: 'themes:nameHint' },
    light: { label: 'themes:light', show: (value) => coloursText(value) },
    dark: { label: 'themes:dark', show: (value) => coloursText(value) },
    radius: { label: 'themes:radius', hint: 'themes:radiusHint' },
    font: { label: 'themes:font', hint: 'themes:fontHint', words: fontText },
    logoFileGuid: { label: 'themes:logo', show: (value, { t }) => t(value ? 'themes:logoThere' : 'themes:noLogo') },
    logoDarkFileGuid: {
      label: 'themes:logoDark',
      show: (value, { t }) => t(value ? 'themes:logoThere' : 'themes:noLogo'),
    },
    footerHtml: { label: 'themes:foot', show: (value) => value?.en.replaceAll(/<[^>]+>/g, ' ').trim() ?? '' },
  },
}

export interface ThemeValues extends Omit<Look, 'footerHtml'> {
  name: string
  /** Not sent while nobody touches it: a logo may have come with the business, as no file. */
  logoFileGuid?: string | null | undefined
  logoDarkFileGuid?: string | null | undefined
  footerHtml: { en: string; fr: string; ar: string }
}

/** A theme as its form has it: its name, and its latest version. */
type EditedTheme = Theme & Omit<ThemeValues, 'name'>
export const edited = (theme: Theme): EditedTheme => ({ ...theme, ...lookValues(theme.latest) })

const lookValues = ({
  light,
  dark,
  radius,
  font,
  footerHtml,
  ...version
}: ThemeVersion): Omit<ThemeValues, 'name'> => ({
  light,
  dark,
  radius,
  font,
  footerHtml: { en: footerHtml.en, fr: footerHtml.fr ?? '', ar: footerHtml.ar ?? '' },
  ...(version.logoFileGuid === null && version.hasLogo ? {} : { logoFileGuid: version.logoFileGuid }),
  ...(version.logoDarkFileGuid === null && version.hasLogoDark ? {} : { logoDarkFileGuid: version.logoDarkFileGuid }),
})

export const valuesOfTheme = (theme: EditedTheme): ThemeValues => ({ name: theme.name, ...lookValues(theme.latest) })

export const newTheme = (look: Look): ThemeValues => ({
  name: '',
  light: look.light,
  dark: look.dark,
  radius: look.radius,
  font: look.font,
  logoFileGuid: null,
  logoDarkFileGuid: null,
  footerHtml: { en: '', fr: '', ar: '' },
})

export const isColour = (value: string) => /^#[0-9a-fA-F]{6}$/.test(value)
export const areColours = (colours: Look['light']): boolean => themeColours.every((name) => isColour(colours[name]))

/** What is being written, as far as it can be shown. */
export const draftOf = ({ light, dark, radius, font, footerHtml, ...values }: ThemeValues) => ({
  font,
  ...(values.logoFileGuid === undefined ? {} : { logoFileGuid: values.logoFileGuid }),
  ...(values.logoDarkFileGuid === undefined ? {} : { logoDarkFileGuid: values.logoDarkFileGuid }),
  ...(areColours(light) ? { light } : {}),
  ...(areColours(dark) ? { dark } : {}),
  ...(Number.isInteger(radius) && radius >= 0 && radius <= 16 ? { radius } : {}),
  footerHtml: { en: footerHtml.en, fr: footerHtml.fr || null, ar: footerHtml.ar || null },
})

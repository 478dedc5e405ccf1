import type { Language } from './core/languages.ts'
import { contrastOf, enoughContrast, inkOn, nearestShade } from './contrast.ts'

/* What a theme is, and the one way in which emails, papers and the customers' pages are dressed by it. */

export const themeColours = ['primary', 'background', 'surface', 'text', 'muted', 'link'] as const
export type ThemeColour = (typeof themeColours)[number]
export type Colours = Record<ThemeColour, string>
export const schemes = ['light', 'dark'] as const
export type Scheme = (typeof schemes)[number]
export const themeFonts = ['public-sans', 'system', 'georgia', 'arial'] as const
export type ThemeFont = (typeof themeFonts)[number]
export const maxRadius = 16

/** What a version of a theme says, beside its logos. */
export interface Look extends Record<Scheme, Colours> {
  radius: number
  font: ThemeFont
  footerHtml: { en: string; fr?: string | null | undefined; ar?: string | null | undefined }
}

/** What is read, and on what: each of these on each of the grounds. */
export const inked = ['text', 'muted', 'link'] as const
export const groundsOf = ({ background, surface }: Colours) => [background, surface] as const

const contrastSentence = (ratio: number): string =>
  `Contrast is ${ratio.toFixed(2)} : 1. It must be at least ${enoughContrast} : 1.`

const grounds = ['background', 'surface'] as const

/** A colour that is not read well enough, and the ground on which it is read worst. */
export interface WeakColour {
  scheme: Scheme
  colour: (typeof inked)[number]
  on: (typeof grounds)[number]
  ratio: number
}
export const weakColours = (look: Pick<Look, Scheme>): WeakColour[] =>
  schemes.flatMap((scheme) =>
    inked.flatMap((colour) => {
      const [worst] = grounds
        .map((on) => ({ scheme, colour, on, ratio: contrastOf(look[scheme][colour], look[scheme][on]) }))
        .toSorted((a, b) => a.ratio - b.ratio)
      return worst && worst.ratio < enoughContrast ? [worst] : []
    }),
  )
/** The same at its place in a version. */
export const weakProblems = (look: Pick<Look, Scheme>): { path: string; message: string }[] =>
  weakColours(look).map(({ scheme, colour, ratio }) => ({
    path: `${scheme}.${colour}`,
    message: contrastSentence(ratio),
  }))

const stacks: Readonly<Record<ThemeFont, string>> = {
  'public-sans': "'Public Sans', -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
  system: "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
  georgia: "Georgia, 'Times New Roman', Times, serif",
  arial: 'Arial, Helvetica, sans-serif',
}

export interface Dressed extends Colours {
  /** The primary colour as the ground of a button, and what is written on it. */
  button: string
  buttonText: string
}
export interface Dress extends Record<Scheme, Dressed> {
  radius: number
  font: ThemeFont
  fontStack: string
}

/** The ground of a button stands back by a few shades where neither ink is strong enough on it. */
function dressed(colours: Colours): Dressed {
  const buttonText = inkOn(colours.primary)
  return { ...colours, button: nearestShade(colours.primary, [buttonText]) ?? colours.primary, buttonText }
}

/** Dresses emails, papers and the customers' pages: whatever shows a theme takes its colours from here. */
export const dress = ({ light, dark, radius, font }: Omit<Look, 'footerHtml'>): Dress => ({
  light: dressed(light),
  dark: dressed(dark),
  radius,
  font,
  fontStack: stacks[font],
})

const paper = '#FFFFFF'
/** The light colours on white paper, whatever the theme's own ground is. */
export function onPaper({ light }: Dress) {
  const read = (colour: string) => nearestShade(colour, [paper]) ?? colour
  return { text: read(light.text), muted: read(light.muted), link: read(light.link), primary: light.primary }
}

const plainGrounds = {
  light: { background: '#F4F3F7', surface: '#FFFFFF', text: '#2F2B3D', muted: '#6D6B77' },
  dark: { background: '#1B1A22', surface: '#26242F', text: '#E7E5F0', muted: '#A5A2B5' },
} as const

/** How links of a colour are read on the grounds of a scheme. */
export const linkOf = (primary: string, colours: Pick<Colours, 'background' | 'surface' | 'text'>): string =>
  nearestShade(primary, [colours.background, colours.surface]) ?? colours.text

/**
 * Colours with another primary colour: links that had a shade of the old one get one of the new. A dark scheme with a
 * colour of its own keeps it.
 */
export function withPrimary({ light, dark }: Pick<Look, Scheme>, primary: string): Pick<Look, Scheme> {
  const changed = (colours: Colours): Colours => {
    if (colours.primary === primary) return colours
    const isShade = colours.link === linkOf(colours.primary, colours)
    return { ...colours, primary, link: isShade ? linkOf(primary, colours) : colours.link }
  }
  return { light: changed(light), dark: dark.primary === light.primary ? changed(dark) : dark }
}

/** What a business wears that chose a colour and nothing else. */
export const plainLook = (primary: string): Look => ({
  light: { primary, ...plainGrounds.light, link: linkOf(primary, plainGrounds.light) },
  dark: { primary, ...plainGrounds.dark, link: linkOf(primary, plainGrounds.dark) },
  radius: 8,
  font: 'public-sans',
  footerHtml: { en: '' },
})

/** The foot of a theme in a language; English where that has none. */
export const footOf = (footerHtml: Look['footerHtml'], language: Language): string =>
  footerHtml[language] || footerHtml.en

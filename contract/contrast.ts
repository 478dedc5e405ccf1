/* How well colours are read on each other (WCAG 2), and the next ones that are. Colours are `#rrggbb`. */

/** WCAG AA for text of normal size. */
export const enoughContrast = 4.5

type Rgb = readonly [number, number, number]
const channels = (colour: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as unknown as Rgb
const written = (rgb: Rgb): string =>
  `#${rgb
    .map((c) => Math.round(c).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()}`

/** Relative luminance of one channel. */
const channel = (value: number) => {
  const c = value / 255
  return c <= 0.040_45 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
}
const luminance = (rgb: readonly number[]) => {
  const [r = 0, g = 0, b = 0] = rgb.map(channel)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const ratioOf = (a: string, b: string) => {
  const [dark = 0, light = 0] = [luminance(channels(a)), luminance(channels(b))].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

/** The ratio of two colours as it is shown and judged: floored, so that nothing is rounded into passing. */
export const contrastOf = (a: string, b: string): number => Math.floor(ratioOf(a, b) * 100) / 100

/** The least of a colour on each of some grounds. */
export const leastContrast = (colour: string, grounds: readonly string[]): number =>
  Math.min(...grounds.map((ground) => contrastOf(colour, ground)))

const passes = (colour: string, grounds: readonly string[]) => leastContrast(colour, grounds) >= enoughContrast

interface Hsl {
  hue: number
  saturation: number
  /** In steps of 1/255. */
  lightness: number
}
function hslOf(colour: string): Hsl {
  const [r, g, b] = channels(colour)
  const [max, min] = [Math.max(r, g, b), Math.min(r, g, b)]
  const [chroma, lightness] = [max - min, (max + min) / 2]
  if (chroma === 0) return { hue: 0, saturation: 0, lightness }
  const sector = max === r ? ((g - b) / chroma + 6) % 6 : max === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4
  return { hue: sector, saturation: chroma / (255 - Math.abs(2 * lightness - 255)), lightness }
}
function colourOf({ hue, saturation, lightness }: Hsl): string {
  const chroma = saturation * (255 - Math.abs(2 * lightness - 255))
  const middle = chroma * (1 - Math.abs((hue % 2) - 1))
  const base = lightness - chroma / 2
  const sectors: readonly Rgb[] = [
    [chroma, middle, 0],
    [middle, chroma, 0],
    [0, chroma, middle],
    [0, middle, chroma],
    [middle, 0, chroma],
    [chroma, 0, middle],
  ]
  const [r, g, b] = sectors[Math.floor(hue) % 6] ?? [0, 0, 0]
  return written([r + base, g + base, b + base])
}

/**
 * The shade nearest to a colour that is read on all of the grounds: its lightness is moved by steps of 1/255 either
 * way. Of two that are as near the stronger one; null where the grounds leave none.
 */
export function nearestShade(colour: string, grounds: readonly string[]): string | null {
  if (passes(colour, grounds)) return colour
  const hsl = hslOf(colour)
  for (let step = 1; step <= 255; step++) {
    const [best] = [hsl.lightness - step, hsl.lightness + step]
      .filter((lightness) => lightness >= 0 && lightness <= 255)
      .map((lightness) => colourOf({ ...hsl, lightness }))
      .filter((shade) => passes(shade, grounds))
      .toSorted((a, b) => leastContrast(b, grounds) - leastContrast(a, grounds))
    if (best) return best
  }
  return ['#FFFFFF', '#000000'].find((shade) => passes(shade, grounds)) ?? null
}

const inks = { white: '#FFFFFF', dark: '#1B1A22' } as const
/** What is written on a button of this colour: white or nearly black, the stronger. */
export const inkOn = (colour: string): string =>
  ratioOf(colour, inks.white) >= ratioOf(colour, inks.dark) ? inks.white : inks.dark

/** A colour darkened until it can be read on white, and white on it: 4.5 to 1 (WCAG AA). */
export function readable(colour: string): string {
  let rgb: readonly number[] = channels(colour)
  while (1.05 / (luminance(rgb) + 0.05) < enoughContrast) rgb = rgb.map((c) => Math.floor(c * 0.94))
  return `#${rgb.map((c) => c.toString(16).padStart(2, '0')).join('')}`
}

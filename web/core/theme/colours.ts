import type { MantineColorsTuple } from '@mantine/core'

/** The brand colour #7367F0 stands at 6; 7 carries white text (5.08:1), 6 does not. */
const brand: MantineColorsTuple = [
  '#F1F0FE',
  '#E3E1FC',
  '#C7C2F9',
  '#ABA4F6',
  '#9D95F5',
  '#8F85F3',
  '#7367F0',
  '#675DD8',
  '#5C52C0',
  '#4C45A0',
]
export const brandColour = '#7367F0'

type Rgb = [number, number, number]

const parse = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb
const write = (rgb: Rgb) =>
  `#${rgb
    .map((c) =>
      Math.round(Math.min(255, Math.max(0, c)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
const mix = (a: Rgb, b: Rgb, share: number): Rgb =>
  [0, 1, 2].map((i) => (a[i] ?? 0) * (1 - share) + (b[i] ?? 0) * share) as Rgb

function luminance(rgb: Rgb): number {
  const [r = 0, g = 0, b = 0] = rgb.map((c) =>
    c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** WCAG contrast ratio of two hex colours. */
export function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(parse(a)), luminance(parse(b))].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

const white: Rgb = [255, 255, 255]
const black: Rgb = [20, 18, 34]

function darkened(hex: string, against: string, ratio: number): string {
  const base = parse(hex)
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = write(mix(base, black, share))
    if (contrast(candidate, against) >= ratio) return candidate
  }
  return write(black)
}

function lightened(hex: string, against: string, ratio: number): string {
  const base = parse(hex)
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = write(mix(base, white, share))
    if (contrast(candidate, against) >= ratio) return candidate
  }
  return '#ffffff'
}

/** Ten real shades of one colour; shade 7 is always dark enough for white text, whatever was chosen. */
export function shadesOf(hex: string): MantineColorsTuple {
  if (hex.toUpperCase() === brandColour) return brand
  const base = parse(hex)
  const filled = darkened(hex, '#ffffff', 4.6)
  const strong = parse(filled)
  const tint = (share: number) => write(mix(base, white, share))
  return [
    tint(0.92),
    tint(0.84),
    tint(0.68),
    tint(0.5),
    tint(0.38),
    tint(0.2),
    hex,
    filled,
    write(mix(strong, black, 0.14)),
    write(mix(strong, black, 0.32)),
  ]
}

/** Colours that stay readable as text and graphics on the two backgrounds. */
export const rolesOf = (hex: string) => ({
  light: {
    accent: darkened(hex, '#ffffff', 3),
    text: hex.toUpperCase() === brandColour ? '#5C52C0' : darkened(hex, '#F8F7FA', 5.2),
  },
  dark: {
    accent: lightened(hex, '#2F3349', 4),
    text: hex.toUpperCase() === brandColour ? '#BDB7F9' : lightened(hex, '#2F3349', 6.4),
  },
})

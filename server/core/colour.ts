/** Relative luminance of one channel, WCAG. */
const channel = (value: number) => {
  const c = value / 255
  return c <= 0.040_45 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
}
const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
const contrastOnWhite = (rgb: number[]) => {
  const [r = 0, g = 0, b = 0] = rgb.map(channel)
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)
}

/** A colour darkened until it can be read on white, and white on it: 4.5 to 1 (WCAG AA). */
export function readable(colour: string): string {
  let rgb = channels(colour)
  while (contrastOnWhite(rgb) < 4.5) rgb = rgb.map((c) => Math.floor(c * 0.94))
  return `#${rgb.map((c) => c.toString(16).padStart(2, '0')).join('')}`
}

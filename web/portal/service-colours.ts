import { contrast, lightened, rolesOf, shadesOf } from '../core/theme/colours.ts'

const paper = { light: '#FFFFFF', dark: '#2F3349' }
/**
 * Rings and marks need 3:1 (WCAG 1.4.11); a button only has to stand out from the paper, its text has 4.5:1 of its own.
 */
const leastForMarks = 3
const leastForButtons = 1.7

/** The business's colour as buttons, marks and text that can be read on our paper, whatever colour it chose. */
export function themeVariables(colour: string, scheme: 'light' | 'dark'): Record<string, string> {
  const shades = shadesOf(colour)
  const roles = rolesOf(colour)
  const filled = scheme === 'dark' ? lightened(shades[7], paper.dark, leastForButtons) : shades[7]
  const accent =
    scheme === 'dark' ? roles.dark.accent : contrast(colour, paper.light) >= leastForMarks ? colour : shades[7]
  const text = roles[scheme].text
  const primary = {
    filled,
    'filled-hover': scheme === 'dark' ? lightened(shades[7], paper.dark, leastForButtons * 0.85) : shades[8],
    light: `color-mix(in srgb, ${accent} 14%, transparent)`,
    'light-hover': `color-mix(in srgb, ${accent} 22%, transparent)`,
    'light-color': text,
    outline: text,
    'outline-hover': `color-mix(in srgb, ${accent} 8%, transparent)`,
    contrast: '#ffffff',
    text,
  }
  const named = ['--mantine-primary-color', '--mantine-color-primary'].flatMap((prefix) =>
    Object.entries(primary).map(([name, value]): [string, string] => [`${prefix}-${name}`, value]),
  )
  return Object.fromEntries([
    ...named,
    ['--accent', accent],
    ['--accent-text', text],
    ['--service-brand', colour],
    ['--service-print', shades[7]],
  ])
}

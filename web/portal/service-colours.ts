import { contrastOf, nearestShade } from '../../contract/contrast.ts'
import { dress, type Look, plainLook, type Scheme } from '../../contract/dress.ts'
import type { PublicBusiness } from '../../contract/businesses.ts'

/** Rings and marks need 3:1 (WCAG 1.4.11); texts and buttons are read by the theme's own rules. */
const leastForMarks = 3
const white = '#FFFFFF'

type Worn = Omit<Look, 'footerHtml'>
/** Whose page it is; a page that tells of a business no more than its colour wears that. */
export type Dresser = Pick<PublicBusiness, 'primaryColour'> & { theme?: Worn | undefined }
export const wornBy = ({ theme, primaryColour }: Dresser): Worn => theme ?? plainLook(primaryColour)

/** Letters that a font lacks are those of ours. */
const fontsOf = (stack: string) => stack.replace(/, ((?:sans-)?serif)$/, ', "Readex Pro Variable", $1')

/** A theme as the colours, corners and letters of our components. */
export function themeVariables(worn: Worn, scheme: Scheme): Record<string, string> {
  const { [scheme]: d, light, radius, font, fontStack } = dress(worn)
  const accent = contrastOf(d.primary, d.surface) >= leastForMarks ? d.primary : d.link
  const mixed = (share: number, colour: string) => `color-mix(in srgb, ${colour} ${share}%, ${d.surface})`
  const deeper = d.buttonText === white ? '#000' : '#fff'
  const primary = {
    filled: d.button,
    'filled-hover': `color-mix(in srgb, ${d.button} 88%, ${deeper})`,
    light: `color-mix(in srgb, ${accent} 14%, transparent)`,
    'light-hover': `color-mix(in srgb, ${accent} 22%, transparent)`,
    'light-color': d.link,
    outline: d.link,
    'outline-hover': `color-mix(in srgb, ${accent} 8%, transparent)`,
    contrast: d.buttonText,
    text: d.link,
  }
  const named = ['--mantine-primary-color', '--mantine-color-primary'].flatMap((prefix) =>
    Object.entries(primary).map(([name, value]): [string, string] => [`${prefix}-${name}`, value]),
  )
  return Object.fromEntries([
    ...named,
    // Links that look like the primary button.
    ['--button-color', d.buttonText],
    ['--mantine-color-body', d.background],
    ['--mantine-color-text', d.text],
    ['--mantine-color-bright', d.text],
    ['--mantine-color-dimmed', d.muted],
    ['--mantine-color-placeholder', d.muted],
    ['--mantine-color-default', d.surface],
    ['--mantine-color-default-color', d.text],
    ['--mantine-color-default-hover', mixed(5, d.text)],
    ['--mantine-color-default-border', mixed(50, d.text)],
    ['--app-paper', d.surface],
    ['--app-heading', d.text],
    ['--app-line', mixed(14, d.text)],
    ['--app-field-line', mixed(50, d.text)],
    ['--app-hover', mixed(5, d.text)],
    ['--mantine-radius-default', `${radius}px`],
    ['--service-radius', `${radius}px`],
    ...(font === 'public-sans'
      ? []
      : [
          ['--mantine-font-family', fontsOf(fontStack)],
          ['--mantine-font-family-headings', fontsOf(fontStack)],
        ]),
    ['--accent', accent],
    ['--accent-text', d.link],
    ['--service-brand', d.primary],
    ['--service-print', nearestShade(light.primary, [white]) ?? light.text],
  ]) as Record<string, string>
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrastOf } from '../../contract/contrast.ts'
import { plainLook } from '../../contract/dress.ts'
import { themeVariables, wornBy } from './service-colours.ts'

const colours = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
const worn = (colour: string, scheme: 'light' | 'dark') => themeVariables(plainLook(colour), scheme)

describe('the page wears the theme of the business, whichever colour it chose', () => {
  for (const scheme of ['light', 'dark'] as const) {
    test(`what is written on its buttons can be read (${scheme})`, () => {
      fc.assert(
        fc.property(colours, (colour) => {
          const variables = worn(colour, scheme)
          const [filled = '', written = ''] = ['filled', 'contrast'].map(
            (name) => variables[`--mantine-primary-color-${name}`],
          )
          return contrastOf(filled, written) >= 4.5
        }),
      )
    })
    test(`its links and texts can be read, its marks can be seen (${scheme})`, () => {
      fc.assert(
        fc.property(colours, (colour) => {
          const variables = worn(colour, scheme)
          const of = (name: string) => variables[name] ?? ''
          const grounds = [of('--mantine-color-body'), of('--app-paper')]
          const read = ['--accent-text', '--mantine-color-text', '--mantine-color-dimmed']
          return (
            read.every((name) => grounds.every((ground) => contrastOf(of(name), ground) >= 4.5)) &&
            contrastOf(of('--accent'), of('--app-paper')) >= 3
          )
        }),
      )
    })
  }
  test('it prints in a colour that shows on white paper', () => {
    fc.assert(
      fc.property(colours, (colour) => contrastOf(worn(colour, 'dark')['--service-print'] ?? '', '#FFFFFF') >= 4.5),
    )
  })
  test('its corners and letters are those of the theme, and a page without one wears its colour', () => {
    const look = { ...plainLook('#0D9394'), radius: 0, font: 'georgia' as const }
    expect(themeVariables(look, 'light')).toMatchObject({
      '--service-radius': '0px',
      '--mantine-font-family': expect.stringContaining('Georgia'),
    })
    expect(wornBy({ primaryColour: '#0D9394' }).light).toEqual(plainLook('#0D9394').light)
  })
})

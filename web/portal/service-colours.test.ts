import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrast } from '../core/theme/colours.ts'
import { themeVariables } from './service-colours.ts'

const colours = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
const papers = { light: '#FFFFFF', dark: '#2F3349' } as const

describe('the page wears the colour of the business, and whichever it chose', () => {
  for (const scheme of ['light', 'dark'] as const) {
    test(`white text on its buttons can be read (${scheme})`, () => {
      const filled = (colour: string) => themeVariables(colour, scheme)['--mantine-primary-color-filled'] ?? ''
      const hovered = (colour: string) => themeVariables(colour, scheme)['--mantine-primary-color-filled-hover'] ?? ''
      fc.assert(
        fc.property(
          colours,
          (colour) => contrast(filled(colour), '#FFFFFF') >= 4.5 && contrast(hovered(colour), '#FFFFFF') >= 4.5,
        ),
      )
    })
    test(`its links and headings can be read, its marks can be seen (${scheme})`, () => {
      fc.assert(
        fc.property(colours, (colour) => {
          const variables = themeVariables(colour, scheme)
          return (
            contrast(variables['--accent-text'] ?? '', papers[scheme]) >= 4.5 &&
            contrast(variables['--accent'] ?? '', papers[scheme]) >= 3
          )
        }),
      )
    })
  }
  test('it prints in a colour that shows on white paper', () => {
    fc.assert(
      fc.property(
        colours,
        (colour) => contrast(themeVariables(colour, 'dark')['--service-print'] ?? '', '#FFFFFF') >= 4.5,
      ),
    )
  })
  test('black and white are colours too', () => {
    for (const colour of ['#000000', '#FFFFFF', '#FFE600'])
      expect(Object.values(themeVariables(colour, 'dark')).every((value) => value.length > 0)).toBe(true)
  })
})

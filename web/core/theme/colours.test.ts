import { expect, test } from 'vitest'
import { brandColour, contrast, rolesOf, shadesOf } from './colours.ts'

test.each([brandColour, '#FFEB3B', '#00E5FF', '#FFFFFF', '#000000', '#C2185B'])(
  'whatever primary colour a person picks, %s, text on it and in it can be read',
  (hex) => {
    expect(contrast(shadesOf(hex)[7] ?? '', '#ffffff')).toBeGreaterThanOrEqual(4.5)
    const { light, dark } = rolesOf(hex)
    expect(contrast(light.text, '#F8F7FA')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(dark.text, '#2F3349')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(light.accent, '#FFFFFF')).toBeGreaterThanOrEqual(3)
    expect(contrast(dark.accent, '#2F3349')).toBeGreaterThanOrEqual(3)
  },
)

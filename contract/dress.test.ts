import { expect, test } from 'vitest'
import { plainLook, weakColours, withPrimary } from './dress.ts'

test('A weak colour is told with the ground on which it is read worst', () => {
  const { light, dark } = plainLook('#7367F0')
  expect(weakColours({ light, dark })).toEqual([])
  const weak = { light: { ...light, muted: '#777777' }, dark: { ...dark, text: '#26242F' } }
  expect(weakColours(weak)).toEqual([
    { scheme: 'light', colour: 'muted', on: 'background', ratio: 4.05 },
    { scheme: 'dark', colour: 'text', on: 'surface', ratio: 1 },
  ])
})

test('Another primary colour takes with it whatever had the old one, by day and by night', () => {
  const violet = plainLook('#7367F0')
  expect(withPrimary(violet, '#0D9394')).toEqual({
    light: plainLook('#0D9394').light,
    dark: plainLook('#0D9394').dark,
  })
  const own = { light: { ...violet.light, link: '#8A1C1C' }, dark: { ...violet.dark, primary: '#FFB000' } }
  expect(withPrimary(own, '#0D9394')).toEqual({ light: { ...own.light, primary: '#0D9394' }, dark: own.dark })
})

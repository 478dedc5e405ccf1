import { expect, it } from 'vitest'
import { safeTarget } from '../../web/core/layout/safe-target.ts'
import { hostileTargets } from '../support/hostile-targets.ts'

it.each(hostileTargets.map((target) => [target]))('AU-12: the remembered page stays on this site: %j', (target) => {
  const taken = safeTarget(target)
  expect(new URL(taken, 'https://here.example').origin).toBe('https://here.example')
  expect(taken).toBe('/')
})

it.each([
  '/apps/orders/list?status=confirmed&page=2#top',
  '/apps/quotes/preview/01890000-0000-7000-8000-000000000000',
  '/?next=https://evil.example',
  '/apps/%2F%2Fevil.example',
])('AU-12: a page of ours is remembered as it is: %s', (target) => {
  expect(new URL(safeTarget(target), 'https://here.example').origin).toBe('https://here.example')
  expect(safeTarget(target)).toBe(target)
})

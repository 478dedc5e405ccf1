import { beforeAll, expect, it, vi } from 'vitest'

let safeTarget: (value: unknown) => string
beforeAll(async () => {
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('window', { addEventListener: () => undefined })
  ;({ safeTarget } = await import('../../web/core/layout/target.ts'))
})

const elsewhere = [
  '//evil.example',
  '///evil.example',
  '////evil.example/x',
  '/\\evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  'https://evil.example',
  'http:evil.example',
  'HTTPS://evil.example/apps',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://evil.example/1',
  '/..//evil.example',
  '/./\\evil.example',
  '/%09/evil.example\u0000',
  'user@evil.example',
  'https:/evil.example',
  '/\u00a0/evil.example',
  '/\u2028/evil.example',
  '',
  'apps/orders',
  '?x=//evil.example',
  '#//evil.example',
  '/login',
  '/auth-waiting?x=1',
]

it.each([...elsewhere, null, undefined, 1, {}, ['/apps']].map((target) => [target]))(
  'AU-12: the remembered page stays on this site: %j',
  (target) => {
    const taken = safeTarget(target)
    expect(new URL(taken, 'https://here.example').origin).toBe('https://here.example')
    expect(taken).toBe('/')
  },
)

it.each([
  '/apps/orders/list?status=confirmed&page=2#top',
  '/apps/quotes/preview/01890000-0000-7000-8000-000000000000',
  '/?next=https://evil.example',
  '/apps/%2F%2Fevil.example',
])('AU-12: a page of ours is remembered as it is: %s', (target) => {
  expect(new URL(safeTarget(target), 'https://here.example').origin).toBe('https://here.example')
  expect(safeTarget(target)).toBe(target)
})

import { beforeEach, expect, test, vi } from 'vitest'

const kept = new Map<string, string>()

beforeEach(() => {
  kept.clear()
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('navigator', { languages: ['de-AT', 'fr-CA'] })
})

test('a page’s language is the one chosen in this browser, else the account’s, the browser’s, English', async () => {
  const { rememberLanguage, startLanguage } = await import('./languages.ts')
  const { writeStored } = await import('../storage.ts')
  expect(startLanguage()).toBe('fr')
  writeStored('preferences', { language: 'ar' })
  expect(startLanguage()).toBe('ar')
  rememberLanguage('en')
  expect(startLanguage()).toBe('en')
  kept.clear()
  writeStored('preferences', { language: 'xx' })
  vi.stubGlobal('navigator', { languages: ['de'] })
  expect(startLanguage()).toBe('en')
})

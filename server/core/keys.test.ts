import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadKeys, timingSafeEqualText } from './keys.ts'

const base = mkdtempSync(join(tmpdir(), 'brolga-keys-'))
afterAll(() => rmSync(base, { recursive: true }))
const load = (folder: string, more: { appKey?: string; cronKey?: string } = {}) =>
  loadKeys({ dataDir: join(base, folder), appKey: undefined, cronKey: undefined, ...more })

test('the first start makes a key only its owner can read, and later starts keep it', () => {
  const first = load('kept')
  expect(statSync(join(base, 'kept', 'keys.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(base, 'kept'))).toEqual(['keys.json'])
  expect(load('kept')).toEqual(first)
  expect(load('another').token).not.toEqual(first.token)
})

test('every purpose has a key of its own', () => {
  const { token, encryption, cron, dbPassword, webhook } = load('kept')
  expect(new Set([token.toString('base64url'), encryption.toString('base64url'), cron, dbPassword, webhook]).size).toBe(
    5,
  )
})

test('servers with one APP_KEY have the same keys and write none down', () => {
  const appKey = 'a key that several servers were given'
  expect(load('one', { appKey })).toEqual(load('two', { appKey }))
  expect(() => statSync(join(base, 'one'))).toThrow()
})

test('a cron key that was set is the one that counts', () => {
  expect(load('kept', { cronKey: 'c'.repeat(32) }).cron).toBe('c'.repeat(32))
})

test('a damaged key file stops the start instead of being replaced', () => {
  load('damaged')
  writeFileSync(join(base, 'damaged', 'keys.json'), '{"mas')
  expect(() => load('damaged')).toThrow(/is damaged; put it back from a backup/)
})

test('secrets are compared whole', () => {
  expect(timingSafeEqualText('abc', 'abc')).toBe(true)
  expect(timingSafeEqualText('abc', 'abcd')).toBe(false)
})

import { expect, test } from 'vitest'
import { addedKey, feeKey, isFeeKey, isPartKey, partKey, publicKey, readSource } from './source-keys.ts'

const product = '0197c8a0-0000-7000-8000-000000000001'

test.each([
  [partKey(0, product), `part:0:${product}`, { kind: 'part', by: '0' }, 'part:0'],
  [partKey(12, product), `part:12:${product}`, { kind: 'part', by: '12' }, 'part:12'],
  [feeKey('night', 'yes'), 'fee:night:yes', { kind: 'fee', by: 'night' }, 'fee:night'],
  [feeKey('length', 'each'), 'fee:length:each', { kind: 'fee', by: 'length' }, 'fee:length'],
  [addedKey('panels', product), `added:panels:${product}`, { kind: 'added', by: 'panels' }, 'added:panels'],
])('%s is read as what made it, also as customers are told of it', (made, key, source, told) => {
  expect(made).toBe(key)
  expect(readSource(key)).toEqual(source)
  expect(publicKey(key)).toBe(told)
  expect(readSource(told)).toEqual(source)
  expect([isPartKey(key), isFeeKey(key)]).toEqual([source.kind === 'part', source.kind === 'fee'])
})

test.each([null, undefined, '', 'part', 'part:', 'parts:0', `plan:${product}:A24`, 'fees:night:yes', ':0'])(
  'nothing is read from %j, and nothing of it is told',
  (key) => {
    expect(readSource(key)).toBeNull()
    expect(publicKey(key)).toBeNull()
    expect([isPartKey(key), isFeeKey(key)]).toEqual([false, false])
  },
)

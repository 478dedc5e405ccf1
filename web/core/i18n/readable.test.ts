import { expect, test } from 'vitest'
import { readable } from './readable.ts'

test('what has come says that it is fulfilled, and what fails does not', async () => {
  const there = readable(Promise.resolve())
  expect(there).not.toHaveProperty('status')
  await there
  expect(there).toHaveProperty('status', 'fulfilled')
  const failed = readable(Promise.reject(new Error('offline')))
  await expect(failed).rejects.toThrow('offline')
  expect(failed).not.toHaveProperty('status')
})

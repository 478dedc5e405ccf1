import { expect, test } from 'vitest'
import { partBytes, type FileRecord, type Upload } from '../../contract/files.ts'
import { ApiError } from '../core/api/error.ts'
import { makeUploads, type Ways } from './uploads.ts'

const fileOf = (name: string, parts: number) => new File([new Uint8Array(partBytes * parts - 10)], name)
const lost = () => new ApiError('The server could not be reached.', 'NETWORK', 500)

/** A server that keeps parts, and what was asked of it. */
function house(fails: (asked: string) => boolean = () => false) {
  const received = new Map<string, number[]>()
  const asked: string[] = []
  let open = 0
  let most = 0
  const attached: string[] = []
  const done: number[] = []
  const go = async <T>(what: string, answer: () => T): Promise<T> => {
    asked.push(what)
    open += 1
    most = Math.max(most, open)
    await new Promise((resolve) => setTimeout(resolve, 1))
    open -= 1
    if (fails(what)) throw lost()
    return answer()
  }
  const uploadOf = (guid: string, bytes: number): Upload => ({
    guid,
    bytes,
    partBytes,
    parts: Math.ceil(bytes / partBytes),
    received: [...(received.get(guid) ?? [])],
  })
  const file = (guid: string) => ({ guid }) as FileRecord
  const ways: Ways = {
    prepare: async (given) => given,
    begin: ({ clientKey, bytes, base64 }) =>
      go(`begin ${bytes}`, () => (base64 ? { file: file(clientKey) } : { upload: uploadOf(clientKey, bytes) })),
    part: (guid, index) => go(`part ${index}`, () => void received.set(guid, [...(received.get(guid) ?? []), index])),
    finish: (guid) => go('finish', () => ({ file: file(guid) })),
    attach: (guid) => go('attach', () => void attached.push(guid)),
    onDone: (count) => void done.push(count),
  }
  return { ways, asked, attached, done, most: () => most }
}

test('a small file is one call, a large one goes in parts, and both are attached', async () => {
  const { ways, asked, attached, done } = house()
  const uploads = makeUploads(ways)
  uploads.add([fileOf('small.pdf', 1)])
  await expect.poll(() => done).toEqual([1])
  expect(asked).toEqual([`begin ${partBytes - 10}`, 'attach'])
  asked.splice(0)
  uploads.add([fileOf('large.pdf', 3)])
  await expect.poll(() => done).toEqual([1, 1])
  expect(asked).toEqual([`begin ${3 * partBytes - 10}`, 'part 0', 'part 1', 'part 2', 'finish', 'attach'])
  expect(attached).toHaveLength(2)
  expect(uploads.rows.get()).toEqual([])
})

test('three files are sent at once, one part of each, and the end is told once', async () => {
  const { ways, done, most } = house()
  makeUploads(ways).add(Array.from({ length: 7 }, (_, i) => fileOf(`${i}.pdf`, 2)))
  await expect.poll(() => done).toEqual([7])
  expect(most()).toBe(3)
})

test('after a fault the same file goes on from the parts that arrived', async () => {
  let isDown = true
  const { ways, asked, done } = house((what) => isDown && what === 'part 1')
  const uploads = makeUploads(ways)
  uploads.add([fileOf('plan.pdf', 3)])
  await expect.poll(() => uploads.rows.get()).toMatchObject([{ state: 'failed', name: 'plan.pdf' }])
  expect(uploads.rows.get()[0]?.share).toBeCloseTo(1 / 3)
  isDown = false
  asked.splice(0)
  uploads.retry(uploads.rows.get()[0]?.key ?? '')
  await expect.poll(() => done).toEqual([1])
  expect(asked).toEqual([`begin ${3 * partBytes - 10}`, 'part 1', 'part 2', 'finish', 'attach'])
})

test('what is stopped leaves, and nothing more of it is sent', async () => {
  const { ways, asked, attached, done } = house()
  const uploads = makeUploads(ways)
  uploads.add([fileOf('wrong.pdf', 20)])
  await expect.poll(() => asked).toContain('part 1')
  uploads.stop(uploads.rows.get()[0]?.key ?? '')
  expect(uploads.rows.get()).toEqual([])
  const sent = asked.length
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(asked.length).toBeLessThanOrEqual(sent + 1)
  expect([attached, done]).toEqual([[], []])
})

test('files that cannot be taken say so before anything is sent', async () => {
  const { ways, asked } = house()
  const uploads = makeUploads(ways)
  uploads.add([new File([], 'empty.txt'), fileOf('film.mov', 51)])
  await expect
    .poll(() => uploads.rows.get())
    .toMatchObject([
      { state: 'failed', error: { message: 'This file is empty.' } },
      { state: 'failed', error: { message: 'Choose a file of up to 25 MB.' } },
    ])
  expect(asked).toEqual([])
})

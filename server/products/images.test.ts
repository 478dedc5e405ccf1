import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aPerson, aRole, type Actors } from '../../test/support/actors.ts'
import { ok, startBusiness } from '../../test/support/factories.ts'
import { aFile, type FileAnswer } from '../../test/support/files.ts'
import { aPicture } from '../../test/support/pictures.ts'
import type { Running } from '../../test/support/start.ts'
import { runJobBatch } from '../core/jobs/batches.ts'
import { sweepBatch } from '../files/sweep.ts'

interface One {
  product: { guid: string; version: number; images: { fileGuid: string; alt: string | null; name: string }[] }
}

let app: Running
let people: Actors
let guid: string
let count = 0
beforeAll(async () => {
  ;({ app, actors: people } = await startBusiness())
})
afterAll(() => app.stop())
beforeEach(async () => {
  const made = await app.call<One>(people.office, 'POST', '/Products', { name: `Pictured ${++count}`, priceCents: 1 })
  ;({ guid } = ok(made, 201).product)
})

let shade = 0
const picture = async (who = people.office) => aFile(app, who, await aPicture('png', 40, 30, ++shade), 'a.png')
const add = (images: object[], who = people.office) =>
  app.call<One>(who, 'POST', `/Products/Images/${guid}`, { images })
const set = (version: number, images: object[], who = people.office) =>
  app.call<One>(who, 'PATCH', `/Products/Images/${guid}`, { version, images })
const get = async () => ok(await app.call<One>(people.office, 'GET', `/Products/${guid}`)).product
const filesOf = ({ product }: One) => product.images.map(({ fileGuid }) => fileGuid)
const asImage = ({ guid: fileGuid }: FileAnswer, alt?: string) => ({ fileGuid, ...(alt ? { alt } : {}) })

test('Pictures are added in order, one of them once, described, ordered anew and taken away', async () => {
  const [one, two] = [await picture(), await picture()]
  ok(await add([asImage(one, 'From the front')]), 201)
  const both = ok(await add([asImage(one), asImage(two)]), 201)
  expect(filesOf(both)).toEqual([one.guid, two.guid])
  expect(both.product.images[0]).toMatchObject({ alt: 'From the front', name: 'a.png' })
  const { version } = both.product
  const turned = ok(await set(version, [asImage(two, ' Behind '), asImage(one)]))
  expect(turned.product.images).toMatchObject([{ fileGuid: two.guid, alt: 'Behind' }, { alt: null }])
  expect((await set(version, [])).error).toBe('STALE_VERSION')
  expect(filesOf(ok(await set(version + 1, [asImage(one)])))).toEqual([one.guid])
  ok(await app.call(people.office, 'PATCH', `/Products/${guid}`, { version: version + 2, name: 'Renamed' }))
  expect((await get()).images).toHaveLength(1)
})

test('Only pictures that the caller may use are taken, each once, twenty at most', async () => {
  const [own, others] = [await picture(), await picture(people.sales)]
  const text = await aFile(app, people.office, Buffer.from('no picture'), 'a.txt')
  const path = async (images: object[]) => (await add(images)).errors[0]?.path
  expect(await path([asImage(own), asImage(text)])).toBe('images.1.fileGuid')
  expect(await path([asImage(others)])).toBe('images.0.fileGuid')
  expect(await path([asImage(own), asImage(own)])).toBe('images.1.fileGuid')
  const many = await Promise.all(Array.from({ length: 20 }, () => picture()))
  ok(await add(many.map((file) => asImage(file))), 201)
  expect((await add([asImage(own)])).status).toBe(409)
  expect((await add([asImage(own)], people.sales)).status).toBe(403)
  expect((await set(1, [], people.sales)).status).toBe(403)
})

test('Whoever reads the product sees its pictures; nobody else does', async () => {
  const file = await picture()
  ok(await add([asImage(file)]), 201)
  const content = (who: typeof people.office) => app.call(who, 'GET', `/Files/Content/${file.guid}?size=file`)
  expect((await content(people.sales)).status).toBe(200)
  const role = await aRole(app, 'Without products', [
    { subject: 'Files', action: 'read' },
    { subject: 'Customers', action: 'read' },
  ])
  expect((await content(await aPerson(app, 'without-products', role))).status).toBe(404)
})

test('A picture stays as long as a product has it', async () => {
  const [kept, gone] = [await picture(), await picture()]
  ok(await add([asImage(kept), asImage(gone)]), 201)
  ok(await set((await get()).version, [asImage(kept)]))
  await runJobBatch({ ...app.deps, now: () => new Date(Date.now() + 40 * 86_400_000) }, sweepBatch)
  const status = async ({ guid: file }: FileAnswer) =>
    (await app.call(people.office, 'GET', `/Files/Content/${file}?size=file`)).status
  expect([await status(kept), await status(gone)]).toEqual([200, 404])
})

test('The first picture stands in the list once it is drawn', async () => {
  const file = await picture()
  ok(await add([asImage(file, 'Front')]), 201)
  const listed = async () =>
    ok(
      await app.call<{ items: { picture: object | null }[] }>(
        people.office,
        'GET',
        `/Products?search=pictured ${count}`,
      ),
    ).items[0]?.picture
  expect(await listed()).toBeNull()
  await app.deps.db.updateTable('files').set({ thumbSha256: file.sha256 }).where('guid', '=', file.guid).execute()
  expect(await listed()).toEqual({ fileGuid: file.guid, alt: 'Front' })
})

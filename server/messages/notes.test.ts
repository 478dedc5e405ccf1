import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Note } from '../../contract/messages.ts'
import { type Actor, type Actors, aPersonWho } from '../../test/support/actors.ts'
import { aCustomer, ok, startStaffed } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'

let app: Running
let actors: Actors
let office: Caller
/** Reads all messages, and the customers made by themselves. */
let own: Actor
beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
  office = actors.office
  own = await aPersonWho(app, 'own-notes', [
    { action: 'manage', subject: 'Customers', conditions: { scope: 'own' } },
    { action: 'manage', subject: 'Messages' },
  ])
})
afterAll(() => app.stop())

const write = (customerGuid: string, bodyText: string, who = office) =>
  app.call<{ note: Note }>(who, 'POST', '/Messages', { customerGuid, intent: 'note', bodyText })
const noted = async (customerGuid: string, bodyText: string, who = office) =>
  ok(await write(customerGuid, bodyText, who), 201).note
const edit = (note: Note, bodyText: string, who = office) =>
  app.call<{ note: Note }>(who, 'PATCH', `/Messages/${note.guid}`, { version: note.version, bodyText })
const notesOf = async (customerGuid: string, who: Caller = office) =>
  ok(await app.call<{ items: Note[] }>(who, 'GET', `/Messages/Notes?customerGuid=${customerGuid}`)).items
const timeline = async (guid: string, who: Caller = office) =>
  ok(
    await app.call<{ items: { what: string; values: { note?: string } }[] }>(who, 'GET', `/Customers/Timeline/${guid}`),
  ).items.flatMap(({ what, values }) => (what.startsWith('message.') ? [`${what} ${values.note}`] : []))

describe('a note on a customer', () => {
  it('is read by staff, newest first, told on the timeline, and no message that goes out', async () => {
    const { guid } = await aCustomer(app, office)
    await noted(guid, 'Call before nine.')
    await noted(guid, '  <b>Dog</b> & gate\n\nSecond paragraph ')
    expect((await notesOf(guid)).map(({ bodyText, isOwn, version }) => [bodyText, isOwn, version])).toEqual([
      ['<b>Dog</b> & gate\n\nSecond paragraph', true, 1],
      ['Call before nine.', true, 1],
    ])
    expect(await timeline(guid)).toEqual([
      'message.noted <b>Dog</b> & gate\n\nSecond paragraph',
      'message.noted Call before nine.',
    ])
    const sent = ok(await app.call<{ items: unknown[] }>(office, 'GET', `/Messages?customerGuid=${guid}`))
    expect(sent.items).toEqual([])
    const [note] = await notesOf(guid)
    const { message } = ok(
      await app.call<{ message: { bodyHtml: string; to: string[] } }>(office, 'GET', `/Messages/${note?.guid}`),
    )
    expect(message).toMatchObject({
      bodyHtml: '<p>&lt;b&gt;Dog&lt;/b&gt; &amp; gate</p><p>Second paragraph</p>',
      to: [],
    })
  })

  it('is changed by whoever wrote it, in the version that was read', async () => {
    const { guid } = await aCustomer(app, office)
    const note = await noted(guid, 'First')
    expect((await edit(note, 'Stranger', actors.sales)).status).toBe(403)
    expect((await notesOf(guid, actors.sales))[0]).toMatchObject({ isOwn: false, bodyText: 'First' })
    expect(ok(await edit(note, 'Second')).note).toMatchObject({ bodyText: 'Second', version: 2 })
    const late = await edit(note, 'Third')
    expect([late.status, (await notesOf(guid))[0]?.bodyText]).toEqual([409, 'Second'])
    expect((await timeline(guid))[0]).toBe('message.note_edited Second')
  })

  it('needs words, and a customer the caller may read', async () => {
    const theirs = await aCustomer(app, office)
    const note = await noted(theirs.guid, 'Not for you')
    expect((await write(theirs.guid, '  ')).errors.map(({ path }) => path)).toEqual(['bodyText'])
    expect((await write(theirs.guid, 'Mine', own)).status).toBe(404)
    expect((await app.call(own, 'GET', `/Messages/Notes?customerGuid=${theirs.guid}`)).status).toBe(404)
    const read = await app.call<{ message: { isBodyHidden: boolean } }>(own, 'GET', `/Messages/${note.guid}`)
    expect([read.data?.message?.isBodyHidden ?? true, read.body.includes('Not for you')]).toEqual([true, false])
    const mine = await aCustomer(app, own)
    expect((await noted(mine.guid, 'Mine', own)).bodyText).toBe('Mine')
    expect((await app.call(actors.field, 'GET', `/Messages/Notes?customerGuid=${mine.guid}`)).status).toBe(403)
  })

  it('comes along when its customer is merged, and stays his when that is undone', async () => {
    const [keep, from] = [await aCustomer(app, office), await aCustomer(app, office)]
    await noted(from.guid, 'Of the other')
    const { merge } = ok(
      await app.call<{ merge: { guid: string; version: number } }>(office, 'POST', '/Customers/Merge', {
        keepGuid: keep.guid,
        keepVersion: keep.version,
        fromGuid: from.guid,
        fromVersion: from.version,
      }),
      201,
    )
    expect((await notesOf(keep.guid)).map(({ bodyText }) => bodyText)).toEqual(['Of the other'])
    ok(await app.call(office, 'POST', `/Customers/Merge/Undo/${merge.guid}`, { version: merge.version }))
    expect(await notesOf(keep.guid)).toEqual([])
    expect(await notesOf(from.guid)).toHaveLength(1)
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainLook } from '../../contract/dress.ts'
import type { PageTheme } from '../../contract/shown-theme.ts'
import type { Theme } from '../../contract/themes.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aCustomer, aLine, aSentQuote, ok, startStaffed } from '../../test/support/factories.ts'
import { sendWhole } from '../../test/support/files.ts'
import { aPicture } from '../../test/support/pictures.ts'
import type { Running } from '../../test/support/start.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { documentData } from '../documents/documents.service.ts'
import { suitOf } from '../documents/suit.service.ts'
import { processQueue } from '../messages/messages.queue.ts'

let app: Running
let actors: Actors
let customer: string
beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
  customer = (await aCustomer(app, actors.office)).guid
})
afterAll(() => app.stop())

type Answered = { theme: Theme }
const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, status = 200) =>
  ok(await app.call<Answered>(actors.office, method, `/Messages/Themes${path}`, body), status).theme
const standard = async () => {
  const { items } = ok(await app.call<{ items: Theme[] }>(actors.office, 'GET', '/Messages/Themes'))
  return call('GET', `/${items.find(({ isDefault }) => isDefault)?.guid}`)
}
/** A change of the default theme that is worn at once. */
async function wear(change: object) {
  const { guid, version } = await standard()
  const { version: next, latest } = await call('PATCH', `/${guid}`, { version, ...change })
  return call('POST', `/Activate/${guid}`, { version: next, versionGuid: latest.guid })
}
const logo = async (shade: number) => {
  const bytes = await aPicture('png', 40, 20, shade)
  return ok(await sendWhole(app, actors.office, bytes, 'logo.png', {}), 201).file?.guid
}
interface Page {
  business: { primaryColour: string; logo: string | null; theme: PageTheme }
}
const pageOf = async (serviceGuid: string | null) =>
  ok(await app.call<Page>(actors.guest, 'GET', `/Service/Quotes/${serviceGuid}`)).business
const staffSee = async (guid: string) =>
  ok(await app.call<Page>(actors.office, 'GET', `/Businesses/Letterhead?quoteGuid=${guid}`)).business
const papersOf = async (guid: string) => {
  const { content } = await documentData(app.deps.db, 'quote', guid)
  return suitOf(app.deps.db, content.business, content.language)
}

describe('what is made in a theme', () => {
  test('wears it on the page, on paper and in the mail, with its logos and its foot', async () => {
    const look = plainLook('#0D9394')
    const [day, night] = [await logo(20), await logo(200)]
    const theme = await wear({
      ...look,
      radius: 13,
      font: 'georgia',
      logoFileGuid: day,
      logoDarkFileGuid: night,
      footerHtml: { en: '<p>Open <a href="https://hours.example/">daily</a></p>' },
    })
    const quote = await aSentQuote(app, actors.office, customer)
    const { theme: worn, logo: shown } = await pageOf(quote.serviceGuid)
    expect(worn).toMatchObject({ versionGuid: theme.active?.guid, light: look.light, dark: look.dark, radius: 13 })
    expect([shown, worn.logoDark].map((address) => address?.slice(0, 22))).toEqual([
      'data:image/png;base64,',
      'data:image/png;base64,',
    ])
    expect(await papersOf(quote.guid)).toMatchObject({
      dress: { light: { primary: '#0D9394' }, radius: 13, font: 'georgia' },
      foot: expect.stringContaining('Open daily'),
    })
    const pdf = await app.call(actors.guest, 'GET', `/Service/Quotes/Pdf/${quote.serviceGuid}`)
    expect([pdf.status, String(pdf.headers['content-type'])]).toEqual([200, 'application/pdf'])

    await processQueue(openCtx(systemRun(app.deps, 'test')), () => true)
    const { guid, bodyHtml, themeVersionGuid } = await app.deps.db
      .selectFrom('messages')
      .select(['guid', 'bodyHtml', 'themeVersionGuid'])
      .where('ownerGuid', '=', quote.guid)
      .executeTakeFirstOrThrow()
    expect(themeVersionGuid).toBe(theme.active?.guid)
    for (const part of ['#0D9394', 'cid:logo"', 'cid:logo-dark"', 'Georgia', 'Open <a href="https://hours.example/"'])
      expect(bodyHtml).toContain(part)
    const raw = readFileSync(join(app.dataDir, 'outbox', `${guid}.eml`), 'utf8')
    expect(raw.match(/Content-ID: <logo(-dark)?>/g)).toHaveLength(2)
    const { message } = ok(await app.call<{ message: { bodyHtml: string } }>(actors.office, 'GET', `/Messages/${guid}`))
    expect(message.bodyHtml).not.toContain('cid:')
    expect(message.bodyHtml).toContain('data:image/png;base64,')
  })

  test('keeps it, whatever is worn later, and after the theme is archived', async () => {
    const first = await standard()
    const quote = await aSentQuote(app, actors.office, customer)
    const message = () =>
      app.deps.db
        .selectFrom('messages')
        .select('bodyHtml')
        .where('ownerGuid', '=', quote.guid)
        .executeTakeFirstOrThrow()
    await processQueue(openCtx(systemRun(app.deps, 'test')), () => true)
    const before = {
      suit: await papersOf(quote.guid),
      page: await pageOf(quote.serviceGuid),
      staff: await staffSee(quote.guid),
      ...(await message()),
    }
    expect(before.staff.theme).toEqual(before.page.theme)
    const other = await call('POST', '', { name: 'Winter', ...plainLook('#1565C0') }, 201)
    const { version } = await call('POST', `/Activate/${other.guid}`, {
      version: other.version,
      versionGuid: other.latest.guid,
    })
    await call('POST', `/Default/${other.guid}`, { version })
    await call('DELETE', `/${first.guid}`)
    expect({
      suit: await papersOf(quote.guid),
      page: await pageOf(quote.serviceGuid),
      staff: await staffSee(quote.guid),
      ...(await message()),
    }).toEqual(before)
    const later = await aSentQuote(app, actors.office, customer, { lines: [aLine()] })
    expect((await pageOf(later.serviceGuid)).primaryColour).toBe('#1565C0')
  })

  test('of before has the colour of its business, and no suit', async () => {
    const quote = await aSentQuote(app, actors.office, customer)
    const { content } = await documentData(app.deps.db, 'quote', quote.guid)
    const { themeVersionGuid: _, ...business } = content.business
    expect(await suitOf(app.deps.db, business, 'en')).toBe(null)
  })
})

describe('a preview', () => {
  const preview = async (body: object) => {
    const { guid } = await standard()
    type Shown = Page & { html: string; text: string; subject: string; paper: string | null; problems: object[] }
    return app.call<Shown>(actors.readOnly, 'POST', `/Messages/Themes/Preview/${guid}`, { language: 'en', ...body })
  }
  test('shows what is not saved yet as a mail, on a page and on paper, and what can’t be read', async () => {
    const { light } = plainLook('#C2185B')
    const shown = ok(await preview({ draft: { light: { ...light, muted: '#AAAAAA' }, radius: 0 }, withPaper: true }))
    expect(shown.html).toContain('#C2185B')
    expect(shown.business).toMatchObject({ primaryColour: '#C2185B', theme: { radius: 0 } })
    expect(shown.problems).toEqual([
      {
        path: 'light.muted',
        message: expect.stringMatching(/^Contrast is 2\.\d\d : 1\. It must be at least 4\.5 : 1\.$/),
      },
    ])
    expect(
      Buffer.from(shown.paper ?? '', 'base64')
        .toString('latin1')
        .startsWith('%PDF-'),
    ).toBe(true)
    expect((await standard()).latest.radius).not.toBe(0)
  })
  test('shows a logo that was just sent to whoever sent it, and refuses what is none', async () => {
    const { guid } = await standard()
    const body = { language: 'en', draft: { logoFileGuid: await logo(90) } }
    const path = `/Messages/Themes/Preview/${guid}`
    const mine = ok(await app.call<Page>(actors.office, 'POST', path, body))
    expect(mine.business.logo).toContain('data:image/png;base64,')
    const others = await app.call(actors.readOnly, 'POST', path, body)
    expect([others.status, others.errors]).toEqual([
      422,
      [{ path: 'logoFileGuid', message: 'Choose a PNG or JPEG image.' }],
    ])
  })
  test('is of an example, or of a document the caller reads', async () => {
    const quote = await aSentQuote(app, actors.office, customer, { title: 'Boundary fence' })
    expect(ok(await preview({})).subject).not.toBe('')
    expect(ok(await preview({ recordGuid: quote.guid })).text).toContain(quote.number ?? '')
    expect((await preview({ recordGuid: customer })).status).toBe(404)
    for (const language of ['fr', 'ar'])
      expect(ok(await preview({ language, withPaper: true })).html).toContain(`lang="${language}"`)
  })
})

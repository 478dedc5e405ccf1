import { beforeAll, expect, test, vi } from 'vitest'
import { goldenCases } from '../../../test/support/golden.ts'

const guid = '0190a0b0-0000-7000-8000-000000000001'
const visitor = '0190a0b0-0000-7000-8000-0000000000aa'

async function openBrowser() {
  vi.stubGlobal('document', { querySelector: () => null, hidden: false })
  vi.stubGlobal('window', { addEventListener: () => undefined, removeEventListener: () => undefined })
  vi.stubGlobal('localStorage', undefined)
  return { ...(await import('./auth-state.ts')), ...(await import('./can.ts')) }
}
let web: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  web = await openBrowser()
})

const tokenOf = (isUser: boolean) => {
  const user = isUser ? { userData: { guid } } : {}
  const claims = { roleGUID: guid, exp: 4_000_000_000, isRenewAllowed: true, ...user }
  return `Bearer x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`
}

/** The browser as this kind of caller has it. */
function become(who: 'user' | 'guest' | 'visitor', hasApiGuid: boolean) {
  web.clearAuth()
  if (who !== 'visitor')
    web.keepHeaders({ Authorization: tokenOf(who === 'user'), 'X-Api-Guid': hasApiGuid ? visitor : '' })
  else if (hasApiGuid) web.keepApiGuid(new Headers({ 'X-Api-Guid': visitor }))
}

test('the web app decides the agreed cases of rights as agreed', async () => {
  const wrong: string[] = []
  for (const { title, rules, action, subject, who, hasApiGuid, row, allowed } of goldenCases) {
    become(who, hasApiGuid)
    const rights = await web.rightsOf(rules as Parameters<typeof web.rightsOf>[0])
    if (rights.can(action, subject, row) !== allowed) wrong.push(title)
  }
  expect(wrong).toEqual([])
})

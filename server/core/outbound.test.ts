import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { guardedFetch } from './adapters/guarded-fetch.ts'
import { checkOutbound, isNeverOutbound, type Lookup, OutboundError } from './outbound.ts'

const nothing = { outboundAllow: [] }
const to =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses.map((address) => ({ address }))
const check = (addresses: string[], port = 587, outboundAllow: string[] = [], isPlain = false) =>
  checkOutbound({ outboundAllow }, { host: 'mail.example', port }, isPlain, to(...addresses))

describe('an address that somebody typed in', () => {
  test.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fe80::1',
    'ff02::1',
    '2001:0:1::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '4000::1',
  ])('leads nowhere when it is %s', async (address) => {
    await expect(check([address])).rejects.toThrow('This address cannot be used.')
    await expect(check(['8.8.8.8', address])).rejects.toThrow(OutboundError)
    expect(isNeverOutbound(nothing, { host: address, port: 587 })).toBe(true)
  })
  test('is connected to as it was checked', async () => {
    expect(await check(['8.8.8.8', '2606:4700::1'])).toMatchObject({
      host: 'mail.example',
      address: '8.8.8.8',
      family: 4,
    })
    expect(await check(['2606:4700::1'])).toMatchObject({ address: '2606:4700::1', family: 6 })
  })
  test('has a port of mail or of the web', async () => {
    for (const port of [25, 465, 587, 2525, 143, 993, 443])
      expect(await check(['8.8.8.8'], port)).toMatchObject({ port })
    for (const port of [22, 80, 5432, 6379, 8080]) await expect(check(['8.8.8.8'], port)).rejects.toThrow(OutboundError)
  })
  test('is said to be of no use where it has none, whatever the reason', async () => {
    await expect(check([])).rejects.toThrow('This address cannot be used.')
    const failing: Lookup = async () => Promise.reject(new Error('ENOTFOUND secret.internal'))
    await expect(checkOutbound(nothing, { host: 'x', port: 25 }, false, failing)).rejects.toThrow(
      'This address cannot be used.',
    )
  })
  test('is told to be misspelt where nobody has its name, and nothing of names within a network', async () => {
    const failing =
      (code: string): Lookup =>
      async () =>
        Promise.reject(Object.assign(new Error(code), { code }))
    const said = (host: string, code = 'ENOTFOUND') =>
      checkOutbound(nothing, { host, port: 587 }, false, failing(code)).catch((error: Error) => error.message)
    expect(await said('smtp.nowhere.example')).toBe('No server is called smtp.nowhere.example.')
    for (const host of ['db', 'db.internal', 'printer.local', 'nas.home.arpa'])
      expect(await said(host)).toBe('This address cannot be used.')
    expect(await said('smtp.nowhere.example', 'EAI_AGAIN')).toBe('This address cannot be used.')
  })
  test('is opened by the installation, on any port and without encryption', async () => {
    expect(await check(['10.1.2.3'], 1025, ['10.0.0.0/8'], true)).toMatchObject({ address: '10.1.2.3' })
    expect(await check(['fd00::1'], 1025, ['fd00::/8'])).toMatchObject({ address: 'fd00::1' })
    await expect(check(['10.1.2.3', '8.8.8.8'], 1025, ['10.0.0.0/8'])).rejects.toThrow(OutboundError)
    await expect(check(['8.8.8.8'], 587, [], true)).rejects.toThrow(OutboundError)
  })
})

describe('a call', () => {
  test('goes to the address that was checked, whatever the name says afterwards, and follows nothing', async () => {
    const seen: string[] = []
    const server = createServer((request, response) => {
      seen.push(`${request.headers.host} ${request.url}`)
      response.writeHead(302, { location: 'http://127.0.0.1/elsewhere' }).end('x'.repeat(100))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const settings = { outboundAllow: ['127.0.0.1'] }
    let asked = 0
    const rebinding: Lookup = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '169.254.169.254' }]
    const call = { method: 'GET', timeoutMs: 5000, maxBytes: 10 } as const
    const answer = await guardedFetch(settings, `http://hooks.example:${port}/a`, call, rebinding)
    expect([answer.status, answer.body, asked]).toEqual([302, 'x'.repeat(10), 1])
    expect(seen).toEqual([`hooks.example:${port} /a`])
    await expect(guardedFetch(settings, `http://hooks.example:${port}/a`, call, rebinding)).rejects.toThrow(
      OutboundError,
    )
    for (const url of ['ftp://hooks.example/', 'http://user:pw@hooks.example/', 'nonsense'])
      await expect(guardedFetch(settings, url, call, to('127.0.0.1'))).rejects.toThrow(OutboundError)
    server.close()
  })
})

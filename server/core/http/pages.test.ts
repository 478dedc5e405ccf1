import fastify from 'fastify'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../env.ts'
import { answerUnknown } from './mount.ts'
import { serveWeb } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'brolga-web-'))
const app = fastify()
beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(
    join(folder, 'index.html'),
    [
      '<head><title>__APP_TITLE__</title>',
      '<meta property="csp-nonce" nonce="__CSP_NONCE__">',
      '<meta name="dev-pages" content="__DEV_PAGES__">',
      '<meta name="default-language" content="__DEFAULT_LANGUAGE__"></head>',
    ].join(''),
  )
  for (const name of ['base', 'staff', 'list-quotes'])
    writeFileSync(join(folder, 'assets', `${name}-12345678.js`), 'export {}')
  const settings = loadSettings({
    MODE: 'test',
    DATA_DIR: folder,
    APP_TITLE: 'Moss & <Sons>',
    DEFAULT_LANGUAGE: 'ar',
    PAYMENT_PROVIDER: 'none',
  })
  answerUnknown(app, await serveWeb(app, settings, folder))
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})
const ask = (url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') => app.inject({ method, url })

describe('the web app', () => {
  it('is the answer to every address of a page, with a nonce of its own each time', async () => {
    const [first, second] = [await ask('/apps/quotes/list?status=sent'), await ask('/apps/quotes/list?status=sent')]
    expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(first.body).toContain('<title>Moss &amp; &lt;Sons&gt;</title>')
    const nonce = /nonce="([^"]+)"/.exec(first.body)?.[1] ?? ''
    expect(first.headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
    expect(second.body).not.toContain(nonce)
    expect(first.body).toContain('<meta name="dev-pages" content="on">')
    expect(first.body).toContain('<meta name="default-language" content="ar">')
  })
  it('names to the browser the scripts that a page of staff will ask for, and none of them to others', async () => {
    const namesIn = async (path: string) =>
      [...(await ask(path)).body.matchAll(/rel="modulepreload" crossorigin href="\/assets\/([\w-]+)-/g)].map(
        (found) => found[1],
      )
    expect(await namesIn('/apps/quotes/list?status=sent')).toEqual(['staff', 'list-quotes'])
    expect(await namesIn('/apps/quotes/add')).toEqual(['staff'])
    expect(await namesIn('/setup/roles/list')).toEqual(['staff'])
    expect(await namesIn('/')).toEqual(['staff'])
    for (const path of ['/login', '/service/q/0193', '/setup-help'])
      expect([path, ...(await namesIn(path))]).toEqual([path])
  })
  it('answers who only asks whether it is there without the page', async () => {
    for (const path of ['/', '/login', '/apps/quotes/list']) {
      const { statusCode, headers, body } = await ask(path, 'HEAD')
      expect([statusCode, headers['content-type'], body]).toEqual([200, 'text/html; charset=utf-8', ''])
    }
  })
  it('never stands in for a file, the API or anything that is sent', async () => {
    const paths = ['/assets/gone-12345678.js', '/robots.txt', '/api/v2/Nothing', '/health/nothing', '/setup']
    const answers = await Promise.all([...paths.map((path) => ask(path)), ask('/login', 'POST')])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 404))
  })
  it('lets browsers keep a hashed file, and has one page only', async () => {
    expect((await ask('/assets/base-12345678.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await ask('/index.html')).body).toContain('Moss')
  })
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../env.ts'
import { htmlPolicy, newNonce, paymentOrigins } from './headers.ts'

const html = 'text/html; charset=utf-8'
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (c) => entities[c] ?? c)
const noncePlace = /__CSP_NONCE__/g
const head = '</head>'
const docsFiles: Record<string, string> = {
  'docs.css': 'text/css; charset=utf-8',
  'docs.js': 'text/javascript; charset=utf-8',
}
/** The addresses of the web app, so that a mistyped file or API address is never answered with a page. */
const noPage = /^\/(?:api|assets|health)(?:\/|$)|^\/setup$|\.[a-z0-9]{1,12}$/i

/** Pages behind the login; the start leads to one of them. */
const ofStaff = /^\/(?:(?:apps|setup|dashboards|dev|pages|access-control)(?:\/|$)|$)/
const ofList = /^\/apps\/(\w+)\/list$/

/**
 * Names to the browser what a page of staff will ask for, so that it comes beside the first script and not after it:
 * what all of them share, and what a list has of its own. `vite.config.ts` calls these files `staff` and `list-<noun>`.
 */
function makeFetchedAhead(folder: string): (path: string) => string {
  const assets = join(folder, 'assets')
  const files = existsSync(assets) ? readdirSync(assets) : []
  const linkTo = (name: string) => {
    const file = files.find((one) => one.startsWith(`${name}-`) && one.length === `${name}-12345678.js`.length)
    return file ? `<link rel="modulepreload" crossorigin href="/assets/${file}">` : ''
  }
  const staff = linkTo('staff')
  return (path) => (ofStaff.test(path) ? staff + linkTo(`list-${ofList.exec(path)?.[1]}`) : '')
}

/** A page is never kept, because its nonce is good for one answer. */
export const sendHtml = (reply: FastifyReply, page: string, nonce: string, origins: readonly string[] = []) =>
  reply.header('content-type', html).header('content-security-policy', htmlPolicy(nonce, origins)).send(page)

/** The browsable description of the API, made of three small files of our own. */
export function serveDocs(app: FastifyInstance, document: () => string) {
  const read = (name: string) => readFileSync(join(import.meta.dirname, 'docs', name), 'utf8')
  app.get('/api/v2/openapi.json', (_request, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(document()),
  )
  app.get('/api/docs', (_request, reply) => sendHtml(reply, read('docs.html'), newNonce()))
  for (const [name, mime] of Object.entries(docsFiles))
    app.get(`/api/docs/${name}`, (_request, reply) =>
      reply.header('content-type', mime).header('cache-control', 'no-cache').send(read(name)),
    )
}

/**
 * The built web app: hashed files may be kept for ever, the page itself never is, because it carries a nonce of its own
 * each time. Without a build the server answers its API alone.
 */
export async function serveWeb(
  app: FastifyInstance,
  settings: Settings,
  folder = join(import.meta.dirname, '../../../dist/web'),
): Promise<(request: FastifyRequest, reply: FastifyReply) => FastifyReply | null> {
  const indexPath = join(folder, 'index.html')
  if (!existsSync(indexPath)) return () => null
  const index = readFileSync(indexPath, 'utf8')
    .replaceAll('__APP_TITLE__', escapeHtml(settings.appTitle))
    .replace('__DEV_PAGES__', settings.hasDevPages ? 'on' : 'off')
    .replace('__DEFAULT_LANGUAGE__', settings.defaultLanguage)
  const origins = paymentOrigins(settings)
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: true,
    serveDotFiles: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) =>
      void response.header(
        'cache-control',
        path.includes(`${join(folder, 'assets')}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ),
  })
  const fetchedAhead = makeFetchedAhead(folder)
  const page = (reply: FastifyReply, path: string) => {
    const nonce = newNonce()
    return sendHtml(
      reply,
      index.replace(noncePlace, nonce).replace(head, `${fetchedAhead(path)}${head}`),
      nonce,
      origins,
    )
  }
  app.get('/', (_request, reply) => page(reply, '/'))
  app.get('/index.html', (_request, reply) => page(reply, '/'))
  return (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    return !['GET', 'HEAD'].includes(request.method) || noPage.test(path) ? null : page(reply, path)
  }
}

import type { FastifyInstance } from 'fastify'
import { servicePath } from '../../contract/places.ts'
import { unsubscribeApi } from '../../contract/suppressions.ts'
import { apiRoot } from '../core/http/mount.ts'

const before = `${apiRoot}${unsubscribeApi.shown.path.replace(':token', '')}`

/** Mail programs that know no button of their own open its address in a browser: that shows the page. */
export function servePageOfLinks(server: FastifyInstance) {
  server.addHook('onRequest', async (request, reply) => {
    const { method, url, headers } = request
    if (method !== 'GET' || !url.startsWith(before) || !headers.accept?.includes('text/html')) return
    const [token = ''] = url.slice(before.length).split('?', 1)
    if (/^[\w-]{1,200}$/.test(token)) await reply.redirect(servicePath('unsubscribe', token))
  })
}

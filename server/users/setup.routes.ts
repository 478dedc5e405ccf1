import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../contract/core/errors.ts'
import type { Deps } from '../core/deps.ts'
import { newNonce } from '../core/http/headers.ts'
import { countUse } from '../core/http/limits.ts'
import { sendHtml } from '../core/http/pages.ts'
import { type SetupForm, setupDonePage, setupPage } from './setup.page.ts'
import { checkSetup, setUp } from './setup.service.ts'

const limit = { most: 30, seconds: 60 }
const blank = (token: string): SetupForm => ({ token, legalName: '', abn: '', isGstRegistered: true, email: '', firstName: '', lastName: '', authID: '' })

/** The first run: reachable with the token from the console alone, and gone once there is an administrator. */
export async function serveSetup(app: FastifyInstance, deps: Deps) {
  const title = deps.settings.appTitle
  await app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 16_384 }, (_request, body, done) => done(null, new URLSearchParams(String(body))))
    scope.addHook('onRequest', (request) => countUse(deps, `setup:${request.ip}`, limit))

    scope.get('/setup', async (request, reply) => {
      const { token } = request.query as { token?: unknown }
      const known = typeof token === 'string' ? token : ''
      await deps.db.transaction().execute((db) => checkSetup(db, known))
      const nonce = newNonce()
      return sendHtml(reply, setupPage(title, nonce, blank(known)), nonce)
    })
    scope.post('/setup', (request, reply) => submit(request, reply))
  })

  async function submit(request: FastifyRequest, reply: FastifyReply) {
    if (request.headers['sec-fetch-site'] === 'cross-site') throw new AppError('FORBIDDEN')
    if (!(request.body instanceof URLSearchParams)) throw new AppError('WRONG_TYPE')
    const { form, password } = readForm(request.body)
    const errors = await setUp(deps, form, password)
    const nonce = newNonce()
    const page = errors ? setupPage(title, nonce, form, errors) : setupDonePage(title, nonce, form.authID)
    return sendHtml(reply.code(errors ? 422 : 200), page, nonce)
  }
}

function readForm(sent: URLSearchParams): { form: SetupForm; password: string } {
  const of = (name: string) => (sent.get(name) ?? '').slice(0, 1100)
  const form = { token: of('token'), legalName: of('legalName'), abn: of('abn'), isGstRegistered: sent.get('isGstRegistered') === 'yes', email: of('email'), firstName: of('firstName'), lastName: of('lastName'), authID: of('authID') }
  return { form, password: of('password') }
}

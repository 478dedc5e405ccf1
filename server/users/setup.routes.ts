import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Language, languages } from '../../contract/core/languages.ts'
import { AppError } from '../../contract/core/errors.ts'
import type { Deps } from '../core/deps.ts'
import { toAppError } from '../core/http/errors.ts'
import { newNonce } from '../core/http/headers.ts'
import { countUse } from '../core/http/limits.ts'
import { sendHtml } from '../core/http/pages.ts'
import { languageOf } from '../core/i18n/sentences.ts'
import {
  type Setting,
  setupClosedPage,
  setupDonePage,
  type SetupForm,
  setupPage,
  setupRefusedPage,
} from './setup.page.ts'
import { checkSetup, type MakeCompany, setUp } from './setup.service.ts'

const limit = { most: 30, seconds: 60 }
const blank = (token: string): SetupForm => ({
  token,
  legalName: '',
  abn: '',
  isGstRegistered: true,
  email: '',
  firstName: '',
  lastName: '',
  authID: '',
  start: 'empty',
})

/** The language that was chosen on the page, else the one the browser prefers. */
const languageFor = (request: FastifyRequest, wish: unknown): Language =>
  languages.find((language) => language === wish) ?? languageOf(request.headers['accept-language'])

/** The first run: reachable with the token from the console alone, and gone once there is an administrator. */
export async function serveSetup(app: FastifyInstance, deps: Deps, makeSample: MakeCompany) {
  const settingFor = (request: FastifyRequest, wish: unknown): Setting => ({
    product: deps.settings.appTitle,
    language: languageFor(request, wish),
    nonce: newNonce(),
  })
  const wishOf = (request: FastifyRequest) =>
    request.body instanceof URLSearchParams
      ? request.body.get('lang')
      : (request.query as { lang?: unknown } | undefined)?.lang

  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16_384 },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.addHook('onRequest', (request) => countUse(deps.db, `setup:${request.ip}`, limit))
    scope.setErrorHandler((thrown, request, reply) => {
      const error = toAppError(thrown)
      const setting = settingFor(request, wishOf(request))
      if (error.status >= 500) request.log.error({ err: error.cause ?? error }, 'the page of the first run failed')
      if (error.status === 429 || error.status === 503) reply.header('retry-after', String(limit.seconds))
      return send(reply.code(error.status), setting, (page) =>
        error.code === 'NOT_FOUND' ? setupClosedPage(page) : setupRefusedPage(page, error),
      )
    })

    scope.get('/setup', async (request, reply) => {
      const { token, lang } = request.query as { token?: unknown; lang?: unknown }
      const known = typeof token === 'string' ? token : ''
      await checkSetup(deps.db, known)
      return send(reply, settingFor(request, lang), (setting) => setupPage(setting, blank(known)))
    })
    scope.post('/setup', (request, reply) => submit(request, reply))
  })

  async function submit(request: FastifyRequest, reply: FastifyReply) {
    if (request.headers['sec-fetch-site'] === 'cross-site') throw new AppError('FORBIDDEN')
    if (!(request.body instanceof URLSearchParams)) throw new AppError('WRONG_TYPE')
    const { form, password } = readForm(request.body)
    const setting = settingFor(request, request.body.get('lang'))
    if (request.body.get('only') === 'language') {
      await checkSetup(deps.db, form.token)
      return send(reply, setting, (page) => setupPage(page, form))
    }
    try {
      const errors = await setUp(deps, { form, password, language: setting.language }, makeSample)
      return send(reply.code(errors ? 422 : 200), setting, (page) =>
        errors ? setupPage(page, form, errors, 'wrong') : setupDonePage(page, form),
      )
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error.code === 'NOT_FOUND') throw error
      request.log.error({ err: error.cause ?? error }, 'the product could not be set up')
      return send(reply.code(error.status), setting, (page) => setupPage(page, form, {}, 'failed'))
    }
  }
}

const send = (reply: FastifyReply, setting: Setting, page: (setting: Setting) => string) =>
  sendHtml(reply, page(setting), setting.nonce)

function readForm(sent: URLSearchParams): { form: SetupForm; password: string } {
  const of = (name: string) => (sent.get(name) ?? '').slice(0, 1100)
  const form: SetupForm = {
    token: of('token'),
    legalName: of('legalName'),
    abn: of('abn'),
    isGstRegistered: sent.get('isGstRegistered') === 'yes',
    email: of('email'),
    firstName: of('firstName'),
    lastName: of('lastName'),
    authID: of('authID'),
    start: sent.get('start') === 'sample' ? 'sample' : 'empty',
  }
  return { form, password: of('password') }
}

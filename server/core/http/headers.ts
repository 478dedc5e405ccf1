import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../env.ts'
import type { Keys } from '../keys.ts'
import { apiGuidOf, newApiGuid } from './identify.ts'

const requestIdPattern = /^[\w-]{8,64}$/

/** A request id the caller may have given, so that both sides can find the same line. */
export const requestIdOf = (headers: Record<string, unknown>): string => {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && requestIdPattern.test(sent) ? sent : randomUUID()
}

const fixed = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), midi=(), usb=(), browsing-topics=()',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}
const nothing = "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const commonHeaders = ({ publicUrl }: Pick<Settings, 'publicUrl'>) => ({
  ...fixed,
  'content-security-policy': nothing,
  'cache-control': 'no-store',
  ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
})

/** On every answer, errors and files included; what serves HTML replaces the policy with `htmlPolicy`. */
export function setHeaders(
  app: FastifyInstance,
  { settings, keys }: { settings: Pick<Settings, 'publicUrl'>; keys: Keys },
) {
  const common = commonHeaders(settings)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(common)
    reply.header('x-request-id', request.id)
    reply.header('x-api-guid', apiGuidOf(request) ?? newApiGuid(keys))
    done()
  })
}

export const newNonce = () => randomBytes(16).toString('base64url')

/** The policy of our pages: own files, scripts with the nonce, and the payment provider's script and frame. */
export function htmlPolicy(nonce: string, providerOrigins: readonly string[]): string {
  const provider = providerOrigins.length > 0 ? ` ${providerOrigins.join(' ')}` : ''
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${provider}`,
    `style-src 'self' 'nonce-${nonce}'`,
    // The component library positions things with style attributes; those cannot run anything.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${provider}`,
    `frame-src 'self' blob:${provider}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Origins of the payment provider that pages must be able to reach. */
export function paymentOrigins(settings: Pick<Settings, 'paymentProvider' | 'paymentSandboxUrl'>): string[] {
  if (settings.paymentProvider === 'stripe')
    return ['https://js.stripe.com', 'https://hooks.stripe.com', 'https://api.stripe.com', 'https://m.stripe.network']
  return settings.paymentProvider === 'sandbox' ? [new URL(settings.paymentSandboxUrl).origin] : []
}

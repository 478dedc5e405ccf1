import { z } from 'zod'
import { email, guid, text, timestamp } from './core/common.ts'
import { get, post } from './core/op.ts'
import { suppressionReasons } from './suppressions.ts'

/** Said by the customer, taken from dealings with them, or taken back. */
export const consentKinds = ['express', 'inferred', 'withdrawn'] as const

const consent = z.object({
  guid,
  address: z.string(),
  kind: z.enum(consentKinds),
  /** Where it was said. */
  proof: z.string(),
  createdAt: timestamp,
  createdBy: z.string().nullable(),
})
export type Consent = z.infer<typeof consent>

const ofAddress = z.object({
  address: z.string(),
  /** Whose address it is: a contact's name, nothing for the customer's own. */
  name: z.string().nullable(),
  /** The newest first: it is the one that counts. */
  consents: z.array(consent),
})
export type ConsentsOfAddress = z.infer<typeof ofAddress>

export const consentInput = z.strictObject({ address: email, kind: z.enum(consentKinds), proof: text(400) })

export const consentsApi = {
  list: get({
    path: '/Messages/Consents',
    effect: 'read',
    can: ['read', 'Messages:Suppressions'],
    summary: 'Whether a customer and its contacts agreed to receive offers, by address',
    query: z.strictObject({ customerGuid: guid }),
    response: z.object({ items: z.array(ofAddress) }),
  }),
  record: post({
    path: '/Messages/Consents',
    effect: 'write',
    can: ['create', 'Messages:Suppressions'],
    status: 201,
    message: 'Consent recorded.',
    summary:
      'Records that an address agreed to receive offers, or no longer does; nothing recorded before changes. ' +
      'Express consent ends that it is suppressed because somebody unsubscribed there',
    body: consentInput,
    response: z.object({
      consent,
      /** Whether offers may go there again, which had been unsubscribed from. */
      isAllowedAgain: z.boolean(),
      /** Why no offer goes there although somebody agreed. */
      suppressed: z.enum(suppressionReasons).nullable(),
    }),
  }),
}

import { z } from 'zod'
import { answerOf } from './core/answer.ts'
import { guid, listQuery, pageOf, timestamp, version, ofBusiness, whose } from './core/common.ts'
import { del, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { linkFields, personFields } from './customers.ts'

const linkInput = z
  .strictObject({ customerGuid: guid.optional(), siteGuid: guid.optional(), ...linkFields })
  .refine(({ customerGuid, siteGuid }) => (customerGuid === undefined) !== (siteGuid === undefined), {
    path: ['customerGuid'],
    message: 'Choose a customer or a site.',
  })
const link = z.object({
  customerGuid: guid.nullable(),
  siteGuid: guid.nullable(),
  /** The customer's name, and the site's behind it. */
  label: z.string(),
  ...answerOf(linkFields),
})
export const contactWrite = z.strictObject({
  ...personFields,
  /** Whom the person belongs to: replaced as a whole when sent. */
  links: z.array(linkInput).min(1, 'Choose a customer or a site.').max(50),
})

const contact = z.object({
  guid,
  version,
  ...answerOf(personFields),
  links: z.array(link),
  createdAt: timestamp,
  archivedAt: timestamp.nullable(),
})
const listed = contact.omit({ links: true, archivedAt: true }).extend({
  ...whose,
  ...answerOf(linkFields),
  /** Whose contact the person is first: none where every link has ended. */
  customerGuid: guid.nullable(),
  customerName: z.string().nullable(),
})

export const contactsApi = {
  list: get({
    path: '/Contacts',
    effect: 'read',
    can: ['read', 'Contacts:Preview:All'],
    summary: 'Contacts of all customers',
    query: listQuery(['name', 'createdAt'], { ...ofBusiness, customerGuid: guid.optional() }),
    response: pageOf(listed),
  }),
  get: get({
    path: '/Contacts/:guid',
    effect: 'read',
    can: ['read', 'Contacts:Preview:Guid'],
    summary: 'One person with the customers and sites they belong to',
    response: z.object({ contact }),
  }),
  create: post({
    path: '/Contacts',
    effect: 'write',
    can: ['create', 'Contacts:Create'],
    status: 201,
    message: 'Contact created.',
    summary: 'Makes a contact of customers and sites',
    body: contactWrite,
    response: z.object({ contact }),
  }),
  update: patch({
    path: '/Contacts/:guid',
    effect: 'write',
    can: ['update', 'Contacts:Update:Guid'],
    message: 'Contact saved.',
    summary: 'Changes a contact; its customers and sites are replaced as a whole when sent',
    body: patchOf(contactWrite),
    response: z.object({ contact }),
  }),
  remove: del({
    path: '/Contacts/:guid',
    effect: 'write',
    can: ['delete', 'Contacts:Archive:Guid'],
    message: 'Contact archived.',
    summary: 'Archives a contact: the person belongs to no customer any more',
    response: z.object({ contact }),
  }),
}

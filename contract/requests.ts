import { z } from 'zod'
import { offeredOption, selection, spoken, typedAnswers } from './booking-options.ts'
import { publicBusiness } from './businesses.ts'
import { address } from './core/address.ts'
import { archivingOps } from './core/archiving.ts'
import { answerOf } from './core/answer.ts'
import {
  archivedFilter,
  day,
  email,
  exactText,
  guid,
  listQuery,
  longText,
  maybe,
  ofBusiness,
  pageOf,
  phone,
  recordShape,
  reference,
  text,
  timestamp,
  version,
  whose,
} from './core/common.ts'
import { languages } from './core/languages.ts'
import { exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { nouns } from './nouns.ts'
import { servicePages } from './places.ts'

const formPages = nouns.RequestForms.pages
const requestPages = nouns.Requests.pages
const formSubject = 'Quotes:RequestForms'
const subject = 'Quotes:Requests'

/** In English, and in the other languages where somebody has written it. */
const wording = <T extends z.ZodType>(words: T) => z.strictObject({ en: words, fr: maybe(words), ar: maybe(words) })

const formFields = {
  /** What staff call it. */
  name: text(120),
  /** The end of its public address: one form's among all businesses. */
  slug: exactText(60, /^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lower-case letters, digits and hyphens, such as marquee-hire.'),
  /** What its requests are quotes of. */
  jobTypeGuid: guid,
  /** Looks after its quotes and is told of each; left out, everybody is told who sees the quote. */
  notifyGuid: maybe(guid),
  /** The questions of the job type that are asked; left out, all that customers answer. */
  optionGuids: maybe(z.array(guid).max(40)),
  heading: wording(text(120)),
  intro: maybe(wording(longText(2000))),
  /** What whoever has sent it reads. */
  thanks: maybe(wording(longText(1000))),
  isActive: z.boolean().default(true),
}
export const requestFormInput = z.strictObject(formFields)
export type RequestFormInput = z.infer<typeof requestFormInput>

const formItem = z.object({
  ...recordShape,
  ...whose,
  name: z.string(),
  slug: z.string(),
  isActive: z.boolean(),
  jobType: reference,
  ownerName: z.string().nullable(),
  requestCount: z.int(),
  lastRequestAt: timestamp.nullable(),
})
const requestForm = z.object({
  ...recordShape,
  businessGuid: guid,
  ...answerOf(formFields),
  jobType: reference,
  owner: reference.nullable(),
  /** The questions it could ask, and does where no selection is made. */
  questions: z.array(z.object({ guid, code: z.string(), label: spoken, required: z.boolean() })),
  requestCount: z.int(),
  url: z.string(),
  /** Its address as a QR code: one path for a square of `size` modules. */
  qr: z.object({ size: z.int(), path: z.string() }),
})
export type RequestForm = z.infer<typeof requestForm>
const oneForm = z.object({ requestForm })

const forms = get({
  path: '/Quotes/RequestForms',
  effect: 'read',
  can: formPages.list.can,
  summary: 'Public forms that people request quotes by',
  query: listQuery(['name', 'createdAt'], { ...ofBusiness, archived: archivedFilter }),
  response: pageOf(formItem),
})
export const requestFormsApi = {
  list: forms,
  export: exportOf(forms, {
    name: 'Name',
    slug: 'Address',
    isActive: 'Active',
    ownerName: 'Owner',
    requestCount: 'Requests',
    lastRequestAt: 'Last request',
  }),
  get: get({
    path: '/Quotes/RequestForms/:guid',
    effect: 'read',
    can: formPages.view.can,
    summary: 'One request form with its public address',
    response: oneForm,
  }),
  create: post({
    path: '/Quotes/RequestForms',
    effect: 'write',
    can: formPages.add.can,
    status: 201,
    message: 'Request form created.',
    summary: 'Makes a request form',
    body: requestFormInput,
    response: oneForm,
  }),
  update: patch({
    path: '/Quotes/RequestForms/:guid',
    effect: 'write',
    can: ['update', `${formSubject}:Update:Guid`],
    message: 'Request form saved.',
    summary: 'Changes a request form',
    body: patchOf(requestFormInput),
    response: oneForm,
  }),
  ...archivingOps('Quotes/RequestForms', 'a request form', oneForm, formSubject),
}

const quoteLabel = reference.extend({ displayStatus: z.string() })
const requestFacts = {
  /** What whoever sent it was told to name. */
  reference: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  wantedOn: day.nullable(),
  message: z.string(),
  form: reference,
  /** What it became; nothing where that is not for the caller. */
  quote: quoteLabel.nullable(),
  customer: reference.nullable(),
}
const requestItem = z.object({
  guid,
  version: z.int(),
  ...whose,
  createdAt: timestamp,
  archivedAt: timestamp.nullable(),
  ...requestFacts,
  quoteLabel: z.string().nullable(),
})
const request = z.object({
  ...recordShape,
  businessGuid: guid,
  ...requestFacts,
  siteAddress: address.nullable(),
  language: z.enum(languages),
  selections: z.array(selection),
})
export type Request = z.infer<typeof request>
const one = z.object({ request })

const list = get({
  path: '/Quotes/Requests',
  effect: 'read',
  can: requestPages.list.can,
  summary: 'What people asked for by request forms',
  query: listQuery(['createdAt', 'name'], {
    ...ofBusiness,
    formGuid: guid.optional(),
    customerGuid: guid.optional(),
    quoteGuid: guid.optional(),
    archived: archivedFilter,
  }),
  response: pageOf(requestItem),
})
export const requestsApi = {
  list,
  export: exportOf(list, {
    reference: 'Reference',
    createdAt: 'Received',
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    wantedOn: 'Wanted on',
    message: 'Message',
    quoteLabel: 'Quote',
    businessName: 'Business',
  }),
  get: get({
    path: '/Quotes/Requests/:guid',
    effect: 'read',
    can: requestPages.view.can,
    summary: 'One request with its answers, quote and customer',
    response: one,
  }),
  dismiss: post({
    path: '/Quotes/Requests/Dismiss/:guid',
    effect: 'write',
    can: ['delete', `${subject}:Archive:Guid`],
    message: 'Archived as not a lead.',
    summary: 'Archives a request that is no lead, with its draft quote and its customer where these have nothing else',
    body: z.strictObject({ version }),
    response: one,
  }),
  reopen: post({
    path: '/Quotes/Requests/Reopen/:guid',
    effect: 'write',
    can: ['delete', `${subject}:Archive:Guid`],
    message: 'Request restored.',
    summary: 'Brings a request back, with the quote and the customer that were archived with it',
    body: z.strictObject({ version }),
    response: one,
  }),
}

/** A question as the page of a form puts it: without what its choices cost and bring along. */
const requestQuestion = offeredOption
  .pick({ code: true, label: true, help: true, input: true, required: true, visibleWhen: true })
  .extend({
    choices: z.array(
      offeredOption.shape.choices.element.pick({ code: true, label: true, isDefault: true, isActive: true }),
    ),
  })
export type RequestQuestion = z.infer<typeof requestQuestion>
const publicForm = z.object({
  slug: z.string(),
  heading: spoken,
  intro: spoken.nullable(),
  questions: z.array(requestQuestion),
  /** The day it is where the business is: nobody can ask for an earlier one. */
  today: day,
})
export type PublicForm = z.infer<typeof publicForm>
const beside = publicBusiness.omit({ bankAccount: true })

const requestInput = z.strictObject({
  name: text(120, 'Enter your name.'),
  email: maybe(email),
  phone: maybe(phone),
  siteAddress: maybe(address),
  wantedOn: maybe(day),
  message: longText(2000).min(1, 'Tell us what you need.'),
  answers: typedAnswers.default([]),
  language: z.enum(languages).optional(),
  /** People don’t see it, and so leave it empty. */
  website: z.string().max(500).optional(),
})
export const serviceRequestsApi = {
  form: get({
    path: '/Service/Requests/:slug',
    effect: 'read',
    can: servicePages.request.can,
    who: 'guest',
    summary: 'A request form as the public sees it',
    response: z.object({ form: publicForm, business: beside }),
  }),
  send: post({
    path: '/Service/Requests/:slug',
    effect: 'write',
    can: ['update', 'Service:Request'],
    who: 'guest',
    cost: 'costly',
    status: 201,
    message: 'Thank you. We’ll be in touch.',
    unaudited: 'a filled trap leaves nothing; every request is told of with its customer and its quote',
    summary: 'Sends a request: makes a lead and a draft quote; ten an hour from one address',
    body: requestInput,
    response: z.object({ reference: z.string(), thanks: spoken.nullable() }),
  }),
}

import { z } from 'zod'
import { offeredOption, optionAnswers, saidAnswers, spoken, typedAnswers } from './booking-options.ts'
import { publicBusiness } from './businesses.ts'
import { amountCents, cents, day, guid, longText, maybe, text, timestamp, version } from './core/common.ts'
import { languages } from './core/languages.ts'
import { drawnPdf, get, post } from './core/op.ts'
import { guestPhoto, sharedFile } from './files.ts'
import { discount, line, priceMode, quoteTotals, roundingRule } from './lines.ts'
import { ask, askAnswer, askInput, comparison, lineQuantities, maxAsks } from './negotiation.ts'
import { servicePages } from './places.ts'
import { declineReasons } from './outcome.ts'
import { signature } from './quotes.ts'
import { schedule, shownStage } from './stages.ts'

/**
 * What a customer may see of a line: no product link, no cost, no internal note. Answers come in words, and are missing
 * where nothing was asked; what a fee is called in each language stands beside its name.
 */
export const serviceLine = line
  .omit({ productGuid: true, isPriceManual: true, revenueStreamGuid: true })
  .omit({ answers: true, options: true, selections: true })
  .extend({ said: saidAnswers.optional(), wording: spoken.optional() })
/** What a customer chose and asked for stays with a line through revisions, which know it by the one it began as. */
const quoteLine = serviceLine.extend({ originLineGuid: guid.nullish() })
/** A question as a customer is asked it: without what its choices bring along and what it depends on. */
const serviceQuestion = offeredOption
  .pick({ code: true, label: true, help: true, input: true, required: true })
  .extend({
    choices: z.array(
      offeredOption.shape.choices.element.pick({
        code: true,
        label: true,
        cents: true,
        bp: true,
        per: true,
        isDefault: true,
        isActive: true,
      }),
    ),
  })
export type ServiceQuestion = z.infer<typeof serviceQuestion>
/** What a line asks its customer; `visible` names the questions that are asked now. */
const lineQuestions = z.object({
  lineGuid: guid,
  asked: z.array(serviceQuestion),
  visible: z.array(z.string()),
  answers: optionAnswers,
})
export type LineQuestions = z.infer<typeof lineQuestions>
/** What a customer answers: of each line that is named, all that he answers. */
const lineAnswers = z.array(z.strictObject({ lineGuid: guid, answers: typedAnswers })).max(500)
/** The page opens in the customer's language. */
export const customer = z.object({ name: z.string(), language: z.enum(languages) })
/**
 * The frozen document by the SHA-256 of its bytes: what a customer's deed names, so that nobody
 * agrees to what he has not seen.
 */
export const documentSha256 = z.string().regex(/^[0-9a-f]{64}$/, 'Reload the page and try again.')
/**
 * What the customer had before the eyes. Another document than the one behind the link now, or none named, is
 * answered by 409 with the one that is. A version alone names no document: revisions count from the start again. It
 * is compared where it is sent.
 */
export const seen = { documentSha256: documentSha256.nullish(), version: version.optional() }
/** Strings a kind of job may bring for its pages; `null` while none is set up. */
const jobTypeStrings = z.object({ heading: z.string(), text: z.string() }).nullable()

/** An ask as whoever put it reads it: of the line as it is on this page, where it still is. */
const serviceAsk = ask.omit({ originLineGuid: true }).extend({ answer: askAnswer.omit({ by: true }).nullable() })
/** What a customer chooses. Of a line that is not named nothing changes. */
const choice = {
  selectedLineGuids: z.array(guid).max(500).optional(),
  answers: lineAnswers.default([]),
  quantities: lineQuantities.default([]),
}

export const serviceQuote = z.object({
  version: z.int(),
  documentSha256: documentSha256.nullable(),
  number: z.string(),
  revision: z.int(),
  title: z.string(),
  status: z.enum(['sent', 'changes_requested', 'accepted', 'declined', 'converted', 'cancelled', 'expired']),
  customer,
  siteLabel: z.string().nullable(),
  sentAt: timestamp.nullable(),
  validUntil: day.nullable(),
  priceMode,
  roundingRule,
  discount: discount.nullable(),
  depositCents: amountCents,
  /** The rule in words: percent in basis points, or cents. */
  depositRule: z.object({ type: z.string(), value: z.int() }).nullable(),
  /** Payments in stages; none where it is paid otherwise. */
  schedule: schedule.nullable(),
  stages: z.array(shownStage),
  intro: z.string().nullable(),
  terms: z.string().nullable(),
  lines: z.array(quoteLine),
  questions: z.array(lineQuestions),
  totals: quoteTotals,
  acceptedBy: z.object({ name: z.string(), at: timestamp, signature: signature.nullable() }).nullable(),
  changeRequest: z.object({ note: z.string(), at: timestamp }).nullable(),
  /** What was asked of any revision, the oldest first. */
  asks: z.array(serviceAsk),
  /** Those that were sent, the oldest first, this one included. */
  revisions: z.array(z.object({ revision: z.int(), sentAt: timestamp, totalCents: cents })),
  /** Where to go on after acceptance. */
  order: z.object({ serviceGuid: guid, number: z.string() }).nullable(),
  invoice: z.object({ serviceGuid: guid, number: z.string(), balanceCents: cents }).nullable(),
})
/** What stands beside every document; `files` are those its customer is shown, the oldest first. */
export const beside = { business: publicBusiness, jobType: jobTypeStrings, files: z.array(sharedFile) }
const quoteAnswer = z.object({ quote: serviceQuote, ...beside })

export const serviceQuotesApi = {
  quote: get({
    path: '/Service/Quotes/:guid',
    effect: 'read',
    can: servicePages.quote.can,
    who: 'guest',
    byLink: true,
    summary: 'A quote as its customer sees it',
    response: quoteAnswer,
  }),
  price: post({
    path: '/Service/Quotes/Price/:guid',
    effect: 'read',
    can: servicePages.quote.can,
    who: 'guest',
    byLink: true,
    cost: 'costly',
    summary: 'What the quote comes to with these answers and choices, by what was offered; nothing is saved',
    body: z.strictObject({ documentSha256: seen.documentSha256, ...choice }),
    response: z.object({
      lines: z.array(quoteLine),
      questions: z.array(lineQuestions),
      totals: quoteTotals,
      depositCents: amountCents,
      stages: z.array(shownStage),
      /** Of what was chosen and what it comes to: whoever accepts names it, and accepts nothing else. */
      choiceSha256: z.string(),
      /**
       * What would keep the choice from being accepted: `answers.<line>.<option>`, of an address its part, or
       * `quantities.<line>`.
       */
      problems: z.array(z.object({ path: z.string(), message: z.string() })),
    }),
  }),
  photo: post({
    path: '/Service/Quotes/Photo/:guid',
    effect: 'external',
    can: ['update', 'Service:Quote'],
    who: 'guest',
    byLink: true,
    cost: 'costly',
    status: 201,
    message: 'Photo received.',
    unaudited: 'a photo is told of where it is attached',
    summary: 'A photo as the answer to a question of the quote; the same `clientKey` answers what it answered before',
    timeoutMs: 60_000,
    body: guestPhoto.extend({ lineGuid: guid, option: z.string().max(40) }),
    response: z.object({ file: sharedFile.pick({ guid: true, name: true, mime: true, bytes: true }) }),
  }),
  accept: post({
    path: '/Service/Quotes/Accept/:guid',
    effect: 'write',
    can: ['update', 'Service:Quote'],
    who: 'guest',
    byLink: true,
    message: 'Thank you. You’ve accepted this quote.',
    summary: 'Accepts the quote: makes the order and the deposit invoice, once',
    body: z.strictObject({
      ...seen,
      name: text(120),
      signature: signature.optional(),
      ...choice,
      /** What the customer was shown: another choice or other amounts are answered by 409 with the quote as it is. */
      choiceSha256: documentSha256.optional(),
    }),
    response: z.object({
      quote: z.object({ status: z.string(), number: z.string(), totals: quoteTotals }),
      order: z.object({ serviceGuid: guid, number: z.string() }),
      invoice: z.object({ serviceGuid: guid, number: z.string(), balanceCents: cents }).nullable(),
    }),
  }),
  decline: post({
    path: '/Service/Quotes/Decline/:guid',
    effect: 'write',
    can: ['update', 'Service:Quote'],
    who: 'guest',
    byLink: true,
    message: 'Quote declined.',
    summary: 'Declines the quote with a reason',
    body: z.strictObject({ ...seen, reasonCode: z.enum(declineReasons), note: maybe(longText(1000)) }),
    response: quoteAnswer,
  }),
  question: post({
    path: '/Service/Quotes/Question/:guid',
    effect: 'write',
    can: ['update', 'Service:Quote'],
    who: 'guest',
    byLink: true,
    message: 'Thank you. We’ll be in touch.',
    summary: 'Puts a question about the whole quote',
    body: z.strictObject({ ...seen, note: longText(2000).min(1, 'This field is required.') }),
    response: quoteAnswer,
  }),
  asks: post({
    path: '/Service/Quotes/Asks/:guid',
    effect: 'write',
    can: ['update', 'Service:Quote'],
    who: 'guest',
    byLink: true,
    status: 201,
    message: 'Thank you. We’ll be in touch.',
    summary:
      'Sends requests: comments, other quantities, lines to leave out. A second one of a line takes the first back',
    body: z.strictObject({ ...seen, asks: z.array(askInput).min(1, 'Add a request.').max(maxAsks) }),
    response: quoteAnswer,
  }),
  withdraw: post({
    path: '/Service/Quotes/Withdraw/:guid',
    effect: 'write',
    can: ['update', 'Service:Quote'],
    who: 'guest',
    byLink: true,
    message: 'Request withdrawn.',
    summary: 'Takes requests back that nobody has answered',
    body: z.strictObject({ ...seen, askGuids: z.array(guid).min(1).max(200) }),
    response: quoteAnswer,
  }),
  compare: get({
    path: '/Service/Quotes/Compare/:guid',
    effect: 'read',
    can: servicePages.quote.can,
    who: 'guest',
    byLink: true,
    summary: 'What changed from an earlier revision that was sent to this one',
    query: z.strictObject({ from: z.coerce.number().int().min(0) }),
    response: z.object({ comparison }),
  }),
  quotePdf: get({
    ...drawnPdf,
    path: '/Service/Quotes/Pdf/:guid',
    can: servicePages.quote.can,
    who: 'guest',
    byLink: true,
    summary: 'The quote as PDF',
    response: z.any(),
  }),
}
export type ServiceQuote = z.infer<typeof serviceQuote>

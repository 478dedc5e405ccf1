import { z } from 'zod'
import { optionAnswers } from './booking-options.ts'
import { amountCents, cents, day, guid, quantity, text, version } from './core/common.ts'
import { post } from './core/op.ts'
import { partiesInput } from './documents.ts'
import { lineInput } from './lines.ts'
import { nouns } from './nouns.ts'
import { oneQuote } from './quotes.ts'

/** What is put into a quote in one go: a line, or what makes several. */
export const entry = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('line'), line: lineInput.omit({ guid: true }) }),
  /** At the catalogue's price for the customer. */
  z.strictObject({
    type: z.literal('product'),
    productGuid: guid,
    quantity: quantity.default('1'),
    answers: optionAnswers.optional(),
    /** First and last day, both charged. */
    hire: z.strictObject({ from: day, to: day }).optional(),
  }),
  /** Products of which the customer chooses one; a group that is there already grows. */
  z.strictObject({
    type: z.literal('alternative'),
    group: text(40),
    productGuids: z.array(guid).min(1, 'Choose at least one product.').max(20, 'Choose up to 20 products.'),
  }),
  z.strictObject({ type: z.literal('section'), name: text(200) }),
  /** The lines of a template, at today's prices. */
  z.strictObject({ type: z.literal('template'), templateGuid: guid }),
])
export type Entry = z.output<typeof entry>

const added = oneQuote.extend({
  /** Lines of a template that were left out, by name: their product is sold no more, or asks something else now. */
  missing: z.array(z.string()),
})
const { can } = nouns.Quotes.pages.entry

const repricedLine = z.object({
  lineGuid: guid,
  name: z.string(),
  /** For one, in the quote's price mode. */
  beforeCents: cents,
  afterCents: cents,
})
export type RepricedLine = z.infer<typeof repricedLine>

export const quoteEntriesApi = {
  add: post({
    path: '/Quotes/Entries/:guid',
    effect: 'write',
    can,
    message: 'Entry added.',
    summary: 'Puts an entry into a draft quote; lines that are there keep their prices',
    body: z.strictObject({
      version,
      /** Where it goes, counted from 1 among the lines that were entered; left out, it goes to the end. */
      position: z.int().min(1, 'Enter 1 or more.').max(501).optional(),
      entry,
    }),
    response: added,
  }),
  begin: post({
    path: '/Quotes/Entries',
    effect: 'write',
    can,
    status: 201,
    message: 'Quote created.',
    summary: 'Makes a draft quote with its first entry',
    body: z.strictObject({ customerGuid: partiesInput.customerGuid, title: partiesInput.title, entry }),
    response: added,
  }),
  reprice: post({
    path: '/Quotes/Reprice/:guid',
    effect: 'write',
    can: nouns.Quotes.pages.edit.can,
    message: 'Prices updated.',
    summary:
      'Prices a draft again by today’s catalogue, and tells what changed. Prices that were entered by hand and lines ' +
      'of products that are sold no more stay. With `dryRun` it only tells',
    unaudited: 'a dry run changes nothing, and so does a quote whose prices are those of today',
    body: z.strictObject({ version, dryRun: z.boolean().default(false) }),
    response: oneQuote.extend({
      changes: z.array(repricedLine),
      /** GST included. */
      beforeCents: amountCents,
      afterCents: amountCents,
      /** Lines whose product is sold no more, by name. */
      missing: z.array(z.string()),
    }),
  }),
}

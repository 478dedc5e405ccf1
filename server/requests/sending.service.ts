import { randomBytes } from 'node:crypto'
import {
  type OfferedOption,
  type OptionAnswer,
  readAnswer,
  type Selection,
  type TypedAnswer,
} from '../../contract/booking-options.ts'
import { type FieldError, notFound, refuseFields } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { zodSentence } from '../../contract/core/sentences.ts'
import { type LineInput, lineInput } from '../../contract/lines.ts'
import { quoteInput } from '../../contract/quotes.ts'
import { answerOptions, defaultAnswers, type OptionsResult } from '../../contract/option-answers.ts'
import type { serviceRequestsApi } from '../../contract/requests.ts'
import { publicBusiness, today } from '../businesses/businesses.service.ts'
import { type Ctx, type Handlers, withCtx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { countUse, refuseUsedUp } from '../core/http/limits.ts'
import { notify } from '../core/notices.ts'
import { asJson, firstStamp } from '../core/records.ts'
import { createCustomer, firstParties } from '../customers/customers.service.ts'
import { customerInput } from '../../contract/customers.ts'
import { jobDefaults } from '../job-types/job-types.service.ts'
import { createQuote } from '../quotes/quotes.service.ts'
import { confirmRequest } from './confirming.service.ts'
import { askedOf, findOpenForm, guestQuestions, type OpenForm, questionsOfProducts } from './request-forms.queries.ts'

type Api = typeof serviceRequestsApi
type Sent = Input<Api['send']>

/** Requests from one address; what is refused counts for nothing. */
const perHour = { most: 10, seconds: 3600 }
const limitSentence = 'Too many requests. Try again in an hour.'

/** Short enough to be read out on the phone; letters and digits that look alike are not among them. */
function newReference(): string {
  const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
  return `RQ-${[...randomBytes(7)].map((byte) => letters[byte % letters.length]).join('')}`
}

/** What the house makes of a request, whoever sent it. */
const asHouse = (ctx: Ctx): Ctx => withCtx(ctx, { actor: { kind: 'system', name: 'request form' }, rows: 'all' })

async function openForm(ctx: Ctx, slug: string): Promise<OpenForm> {
  const found = await findOpenForm(ctx.db, slug)
  if (!found) throw notFound()
  await ctx.workFor(found.businessGuid)
  return found
}

async function form(ctx: Ctx, { slug }: Input<Api['form']>) {
  const found = await openForm(ctx, slug)
  const { heading, intro } = found
  const questions = askedOf(found, await guestQuestions(ctx.db, found.jobTypeGuid))
  return {
    form: { slug: found.slug, heading, intro, questions, today: today(ctx.business, ctx.now) },
    business: await publicBusiness(ctx, ctx.business),
  }
}

/** Answers to what the form asks; what cannot be read, is not asked or is missing is refused at its question. */
function answered(questions: readonly OfferedOption[], typed: readonly TypedAnswer[]) {
  const problems: FieldError[] = []
  const answers: OptionAnswer[] = []
  for (const [i, one] of typed.entries()) {
    const answer = readAnswer(one, zodSentence)
    if (Array.isArray(answer)) problems.push(...answer)
    else if (typed.findIndex(({ option }) => option === one.option) < i)
      problems.push({ path: `answers.${one.option}`, message: 'This is listed twice.' })
    else answers.push(answer)
  }
  const result = answerOptions({ options: questions, answers, basePriceCents: 0, quantity: '1' })
  // As any other, a question that is not asked is unanswered, whatever was typed.
  const known = new Set(questions.map(({ code }) => code))
  const shown = new Set(result.visible)
  const isAsked = ({ path }: FieldError) => {
    const code = path.split('.')[1] ?? ''
    return !known.has(code) || shown.has(code)
  }
  const unread = problems.filter(isAsked)
  const wrong = new Set(unread.map(({ path }) => path.split('.')[1]))
  const missing = result.missing.filter(({ path }) => !wrong.has(path.split('.')[1]))
  return { result, problems: [...unread, ...result.problems, ...missing] }
}

const saidOf = ({ value, choices }: Selection): string => {
  if ('isYes' in value) return value.isYes ? 'Yes' : 'No'
  if ('quantity' in value) return value.quantity
  if ('text' in value) return value.text
  if ('day' in value) return value.day
  if ('time' in value) return value.time
  if ('address' in value) {
    const { line1, line2, suburb, state, postcode } = value.address
    return [line1, line2, `${suburb} ${state} ${postcode}`].filter(Boolean).join(', ')
  }
  return choices.map(({ label }) => label).join(', ')
}

const newLine = (facts: Partial<LineInput> & { name: string }): LineInput => lineInput.parse(facts)

/**
 * The lines of the job type with the answers to what their products ask. What is answered for the job as a whole and
 * costs something, or brings a product along, has lines of its own.
 */
async function linesFor(
  ctx: Ctx,
  wanted: readonly { quantity: string; product: { guid: string; name: string; description: string | null } }[],
  selections: readonly Selection[],
  result: OptionsResult,
): Promise<{ lines: LineInput[]; onLines: Set<string> }> {
  const asked = await questionsOfProducts(
    ctx.db,
    wanted.map(({ product }) => product.guid),
  )
  const onLines = new Set<string>()
  const lines = wanted.map(({ quantity, product }) => {
    const questions = (asked.get(product.guid) ?? []).filter(({ input }) => input !== 'file')
    const given = selections.filter(({ optionCode }) => questions.some(({ code }) => code === optionCode))
    const facts = { name: product.name, description: product.description, productGuid: product.guid, quantity }
    if (given.length === 0) return newLine(facts)
    const answers = given.map(({ optionCode: option, value }) => ({ option, value }))
    const others = defaultAnswers(questions).filter(({ option }) => !given.some((one) => one.optionCode === option))
    const all = [...others, ...answers]
    const kept = answerOptions({ options: questions, answers: all, basePriceCents: 0, quantity: '1' })
    for (const { optionCode } of kept.selections) onLines.add(optionCode)
    return newLine({ ...facts, answers: all })
  })
  const own = ({ option }: { option: string }) => !onLines.has(option)
  const charges = [...result.steps, ...result.fees].filter(own)
  const products = await namesOf(
    ctx,
    result.added.filter(own).map(({ productGuid }) => productGuid),
  )
  return {
    onLines,
    lines: [
      ...lines,
      ...charges.map(({ label, cents }) => newLine({ name: label, unitPriceCents: cents })),
      ...result.added.filter(own).flatMap(({ productGuid, quantity }) => {
        const name = products.get(productGuid)
        return name === undefined ? [] : [newLine({ name, productGuid, quantity })]
      }),
    ],
  }
}

async function namesOf(ctx: Ctx, guids: readonly string[]): Promise<Map<string, string>> {
  if (guids.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('products')
    .select(['guid', 'name'])
    .where('guid', 'in', guids)
    .where('status', '=', 'active')
    .execute()
  return new Map(rows.map(({ guid, name }) => [guid, name]))
}

/** What staff read with the quote: the message as it was sent, and what was answered. */
function notesOf({ message, wantedOn }: Sent, selections: readonly Selection[], reference: string): string {
  const said = selections.map((selection) => `${selection.label} ${saidOf(selection)}`)
  return [`${reference}: ${message}`, ...(wantedOn ? [`Wanted on: ${wantedOn}`] : []), ...said]
    .join('\n')
    .slice(0, 4000)
}

function refuseWrong(input: Sent, problems: FieldError[], day: string) {
  const fields = [...problems]
  if (!input.email && !input.phone) fields.push({ path: 'email', message: 'Enter an email address or a phone number.' })
  if (input.wantedOn && input.wantedOn < day)
    fields.push({ path: 'wantedOn', message: 'Choose today or a later date.' })
  refuseFields(fields)
}

/** A lead, always a new one: whether it is somebody known, staff decide, who are shown who is alike. */
async function makeLead(
  ctx: Ctx,
  input: Sent,
  internalNotes: string,
): Promise<Awaited<ReturnType<typeof firstParties>>> {
  const { name, email, phone, siteAddress, language } = input
  const person = { name, email, phone }
  const guid = await createCustomer(
    ctx,
    customerInput.parse({
      kind: 'individual',
      displayName: name,
      ...{ email, phone, language },
      ...{ status: 'lead', internalNotes },
      contacts: [{ ...person, isPrimary: true }],
      ...(siteAddress ? { sites: [{ name: siteAddress.line1, address: siteAddress }] } : {}),
    }),
  )
  return firstParties(ctx, guid)
}

async function send(given: Ctx, input: Sent) {
  const found = await openForm(given, input.slug)
  const { thanks } = found
  // Whoever fills what nobody sees is told what everybody is told.
  if (input.website) return { reference: newReference(), thanks }
  const questions = askedOf(found, await guestQuestions(given.db, found.jobTypeGuid))
  const { result, problems } = answered(questions, input.answers)
  refuseWrong(input, problems, today(given.business, given.now))
  const key = `request:${given.request.ip ?? ''}`
  await refuseUsedUp(given.db, key, perHour, limitSentence)
  const reference = await take(asHouse(given), found, input, result, questions)
  // Counted last, so that those who share an address wait for each other for an instant only.
  await countUse(given.db, key, perHour, limitSentence)
  return { reference, thanks }
}

/** Makes the lead, the draft and the request: all or nothing. */
async function take(
  ctx: Ctx,
  found: OpenForm,
  input: Sent,
  result: OptionsResult,
  questions: readonly OfferedOption[],
): Promise<string> {
  const { name, email, phone, siteAddress, wantedOn, message } = input
  const guid = newGuid()
  const reference = newReference()
  const language = input.language ?? ctx.deps.settings.defaultLanguage
  const at = ctx.now.toISOString()
  const selections = result.selections.map((one): Selection => ({ ...one, answeredBy: 'guest', at }))
  const notes = notesOf(input, selections, reference)
  const parties = await makeLead(ctx, { ...input, language }, notes)
  const defaults = await jobDefaults(ctx, found.jobTypeGuid, {
    customerGuid: parties.customerGuid,
    siteGuid: parties.siteGuid ?? null,
  })
  const { lines, onLines } = await linesFor(ctx, defaults.lines, selections, result)
  const quoteGuid = await createQuote(
    ctx,
    quoteInput.parse({
      ...parties,
      title: defaults.title,
      intro: defaults.intro || null,
      jobTypeGuid: found.jobTypeGuid,
      ...(defaults.depositRule && { depositRule: defaults.depositRule }),
      internalNotes: notes,
      lines,
    }),
    found.notifyGuid,
  )
  await ctx.db
    .insertInto('requests')
    .values({
      guid,
      businessGuid: found.businessGuid,
      formGuid: found.guid,
      customerGuid: parties.customerGuid,
      quoteGuid,
      ownerGuid: found.notifyGuid,
      ...{ reference, language, name, message },
      email: email ?? null,
      phone: phone ?? null,
      wantedOn: wantedOn ?? null,
      siteAddress: asJson(siteAddress),
      selections: JSON.stringify(selections),
      ...firstStamp(ctx),
    })
    .execute()
  await keepAnswers(ctx, { guid, quoteGuid, businessGuid: found.businessGuid }, selections, onLines, questions)
  const { title } = defaults
  ctx.audit({ action: 'request.received', entity: 'Requests', guid, after: { name, title, quoteGuid, reference } })
  await notify(ctx, {
    kind: 'request.received',
    noun: 'Quotes',
    recordGuid: quoteGuid,
    event: `request.received:${guid}`,
    values: { customerName: name, title },
    ...(found.notifyGuid && { to: found.notifyGuid }),
  })
  if (email) await confirmRequest(ctx, { email, quoteGuid, businessGuid: found.businessGuid })
  return reference
}

/** Among all answers of the business stand those that are no line's. */
async function keepAnswers(
  ctx: Ctx,
  of: { guid: string; quoteGuid: string; businessGuid: string },
  selections: readonly Selection[],
  onLines: ReadonlySet<string>,
  questions: readonly OfferedOption[],
) {
  const own = selections.filter(({ optionCode }) => !onLines.has(optionCode))
  if (own.length === 0) return
  await ctx.db
    .insertInto('bookingSelections')
    .values(
      own.map(({ optionCode, label, value, choices, cents, minutes, answeredBy }) => ({
        businessGuid: of.businessGuid,
        requestGuid: of.guid,
        quoteGuid: of.quoteGuid,
        optionGuid: questions.find(({ code }) => code === optionCode)?.guid ?? null,
        ...{ optionCode, label, cents, minutes, answeredBy },
        value: JSON.stringify(value),
        choices: JSON.stringify(choices),
        answeredAt: ctx.now,
      })),
    )
    .execute()
}

/** What a request page says, and what is sent by it. */
export const serviceRequests: Handlers<Api> = { form, send }

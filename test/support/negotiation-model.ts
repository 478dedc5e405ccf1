import type { AskKind, AskOutcome } from '../../contract/negotiation.ts'
import type { QuoteStatus } from '../../contract/quotes.ts'

/*
 * What the words say of a quote that is talked about, in as few of them as can be, and apart from the service: what a
 * deed does to all revisions of one number, or that it is refused. Nothing of the product is called here.
 */

export interface ModelAsk {
  guid: string
  kind: AskKind
  /** The line it was put to; null of the whole quote. */
  lineGuid: string | null
  quantity: string | null
  outcome: AskOutcome | null
  /** What was offered instead. */
  offers: { quantity: string | null; unitPriceCents: number | null }
}
export interface ModelLine {
  guid: string
  /** The line it began as, by which it is known in every revision. */
  origin: string
  quantity: string
  unitPriceCents: number
  /** A price that was agreed or entered: other quantities leave it as it is. */
  isPriceManual: boolean
}
export interface ModelRevision {
  guid: string
  previousGuid: string | null
  status: QuoteStatus
  version: number
  /** Null until it is sent. */
  documentSha256: string | null
  validUntil: string | null
  lines: ModelLine[]
  asks: ModelAsk[]
}
/** All revisions of one number, the oldest first, and what leads to them. */
export interface Family {
  day: string
  revisions: ModelRevision[]
  /** The customer's address, and the revision behind it. */
  link: { guid: string; quoteGuid: string } | null
  orders: number
}

interface OfficeBasis {
  guid: string
  version: number
}
interface GuestBasis {
  linkGuid: string
  documentSha256: string | null
}
export interface GivenAsk {
  kind: AskKind
  lineGuid: string | null
  quantity: string | null
}
export interface GivenAnswer {
  askGuid: string
  outcome: 'agreed' | 'declined' | 'countered'
  text: string | null
  quantity: string | null
  unitPriceCents: number | null
}
export type Then = 'nothing' | 'revise' | 'send'

/** What one of the windows does, with what it had before the eyes. */
export type Act =
  | (OfficeBasis & { deed: 'edit'; isSound: boolean })
  | (OfficeBasis & { deed: 'send' | 'reply' | 'revise' | 'mark accepted' | 'mark declined' | 'cancel' | 'new link' })
  | (OfficeBasis & { deed: 'answer'; answers: GivenAnswer[]; then: Then })
  | (GuestBasis & { deed: 'ask'; asks: GivenAsk[]; isSound: boolean; isOwnAlone: boolean })
  | (GuestBasis & { deed: 'withdraw'; askGuids: string[] })
  | (GuestBasis & { deed: 'price' | 'accept'; isSound: boolean; isAsPriced: boolean })
  | (GuestBasis & { deed: 'decline' })

/** 404: it is not there; 409: not now; 422: not so. */
export type Refusal = 404 | 409 | 422
/** More than this no document of the walks has room for. */
const mostQuantity = 99_999_999
class Refused extends Error {
  readonly status: Refusal
  constructor(status: Refusal) {
    super(`refused by ${status}`)
    this.status = status
  }
}
const refuse = (status: Refusal): never => {
  throw new Refused(status)
}

const isCounterOffer = ({ kind }: Pick<ModelAsk, 'kind'>) => kind !== 'comment'
const isSettled = ({ outcome }: ModelAsk) => outcome === 'agreed' || outcome === 'countered'
/** What was agreed on a revision and goes out with the next. */
const agreedOn = ({ asks }: ModelRevision): ModelAsk[] => asks.filter((ask) => isCounterOffer(ask) && isSettled(ask))
const openOffers = ({ asks }: ModelRevision) => asks.filter((ask) => isCounterOffer(ask) && ask.outcome === null)
/** While a counter-offer waits or was agreed nothing can be accepted. */
const settled = (revision: ModelRevision): QuoteStatus =>
  agreedOn(revision).length + openOffers(revision).length > 0 ? 'changes_requested' : 'sent'

/** The lines as agreed: the last word on each counts. */
function agreedLines(revision: ModelRevision): ModelLine[] {
  return revision.lines.flatMap((line): ModelLine[] => {
    let now: ModelLine | null = line
    for (const { kind, lineGuid, quantity, outcome, offers } of agreedOn(revision)) {
      if (lineGuid !== line.guid) continue
      const before: ModelLine = now ?? line
      if (outcome === 'agreed' && kind === 'drop') now = null
      else
        now = {
          ...before,
          quantity: (outcome === 'agreed' ? quantity : offers.quantity) ?? before.quantity,
          ...(offers.unitPriceCents !== null && { unitPriceCents: offers.unitPriceCents, isPriceManual: true }),
        }
    }
    return now ? [now] : []
  })
}

const followerOf = (family: Family, guid: string) =>
  family.revisions.find(({ previousGuid, status }) => previousGuid === guid && status !== 'cancelled')

/** The next revision, without a guid until the product has named it. */
function revise(family: Family, from: ModelRevision): ModelRevision {
  if (followerOf(family, from.guid)) refuse(409)
  const lines = agreedLines(from)
  const made: ModelRevision = {
    guid: '',
    previousGuid: from.guid,
    status: 'draft',
    version: 1,
    documentSha256: null,
    validUntil: null,
    lines,
    asks: [],
  }
  family.revisions.push(made)
  return made
}

function send(family: Family, revision: ModelRevision) {
  if (revision.status !== 'draft') refuse(409)
  if (revision.validUntil !== null && revision.validUntil < family.day) refuse(422)
  if (revision.lines.length === 0) refuse(422)
  const previous = family.revisions.find(({ guid }) => guid === revision.previousGuid)
  if (previous && !['cancelled', 'superseded'].includes(previous.status)) {
    if (!['sent', 'changes_requested', 'declined'].includes(previous.status)) refuse(409)
    previous.status = 'superseded'
  }
  revision.status = 'sent'
  if (family.link === null || previous) family.link = { guid: family.link?.guid ?? '', quoteGuid: revision.guid }
}

function answer(family: Family, quote: ModelRevision, { answers, then }: Extract<Act, { deed: 'answer' }>) {
  answers.forEach((given, i) => {
    const ask = quote.asks.find(({ guid }) => guid === given.askGuid)
    if (!ask || ask.outcome !== null) return refuse(422)
    if (answers.findIndex(({ askGuid }) => askGuid === given.askGuid) < i) refuse(422)
    const hasOffer = given.quantity !== null || given.unitPriceCents !== null
    if ((given.outcome === 'countered') !== hasOffer) refuse(422)
    if (Number(given.quantity) > mostQuantity) refuse(422)
    if (!isCounterOffer(ask) && (given.outcome === 'countered' || given.text === null)) refuse(422)
  })
  if (answers.length === 0 && then === 'nothing') refuse(422)
  for (const { askGuid, outcome, quantity, unitPriceCents } of answers) {
    const ask = quote.asks.find(({ guid }) => guid === askGuid)
    if (ask) Object.assign(ask, { outcome, offers: { quantity, unitPriceCents } })
  }
  if (answers.length > 0 && quote.status === 'changes_requested') quote.status = settled(quote)
  if (then === 'nothing') return
  if (openOffers(quote).length > 0 || agreedOn(quote).length === 0) refuse(409)
  if (agreedLines(quote).length === 0) refuse(422)
  const revision = revise(family, quote)
  if (then === 'send') send(family, revision)
}

function ask(quote: ModelRevision, asks: readonly GivenAsk[]) {
  for (const given of asks.filter(isCounterOffer))
    for (const before of openOffers(quote)) if (before.lineGuid === given.lineGuid) before.outcome = 'withdrawn'
  quote.asks.push(
    ...asks.map((given): ModelAsk => ({
      ...given,
      guid: '',
      outcome: null,
      offers: { quantity: null, unitPriceCents: null },
    })),
  )
  if (asks.some(isCounterOffer)) quote.status = 'changes_requested'
}

function byOffice(family: Family, act: Extract<Act, OfficeBasis>) {
  const quote = family.revisions.find(({ guid }) => guid === act.guid)
  if (!quote) return refuse(404)
  const isSent = quote.status === 'sent' || quote.status === 'changes_requested'
  const from = (isPossible: boolean) => {
    if (!isPossible || quote.version !== act.version) refuse(409)
  }
  const isExpired = quote.validUntil !== null && quote.validUntil < family.day
  switch (act.deed) {
    case 'edit':
      from(quote.status === 'draft')
      if (!act.isSound) refuse(422)
      break
    case 'send':
      from(quote.status === 'draft')
      send(family, quote)
      break
    case 'answer':
      from(isSent)
      answer(family, quote, act)
      break
    case 'reply':
      from(quote.status === 'changes_requested' && agreedOn(quote).length === 0)
      for (const open of quote.asks.filter(({ outcome }) => outcome === null))
        open.outcome = isCounterOffer(open) ? 'declined' : 'agreed'
      quote.status = 'sent'
      break
    case 'revise':
      from(isSent || quote.status === 'declined')
      revise(family, quote)
      break
    case 'mark accepted':
      from(quote.status === 'sent' && !isExpired)
      quote.status = 'converted'
      family.orders += 1
      break
    case 'mark declined':
      from(isSent)
      quote.status = 'declined'
      break
    case 'cancel':
      from(isSent || quote.status === 'draft' || quote.status === 'declined')
      quote.status = 'cancelled'
      break
    case 'new link':
      from(isSent || quote.status === 'declined' || quote.status === 'converted')
      if (family.link?.quoteGuid === quote.guid) family.link = { ...family.link, guid: '' }
      break
  }
  quote.version += 1
}

function byGuest(family: Family, act: Extract<Act, GuestBasis>) {
  const { link } = family
  const quote = family.revisions.find(({ guid }) => guid === link?.quoteGuid)
  if (!quote || link?.guid !== act.linkGuid) return refuse(404)
  const from = (isPossible: boolean) => {
    if (!isPossible || quote.documentSha256 !== act.documentSha256) refuse(409)
  }
  const isTalkedAbout = quote.status === 'sent' || quote.status === 'changes_requested'
  const isExpired = quote.validUntil !== null && quote.validUntil < family.day
  switch (act.deed) {
    case 'ask':
      from(isTalkedAbout)
      if (!act.isSound || (act.isOwnAlone && quote.status === 'sent')) refuse(422)
      ask(quote, act.asks)
      break
    case 'withdraw': {
      from(isTalkedAbout)
      // What was asked of an earlier revision and never answered can be taken back, too; it keeps nobody from anything.
      const until = family.revisions.slice(0, family.revisions.indexOf(quote) + 1)
      const own = until.flatMap(({ asks }) => asks).filter(({ guid }) => act.askGuids.includes(guid))
      if (own.length < act.askGuids.length || own.some(({ outcome }) => outcome !== null)) refuse(409)
      for (const one of own) one.outcome = 'withdrawn'
      if (quote.status === 'changes_requested') quote.status = settled(quote)
      break
    }
    case 'price':
      from(quote.status === 'sent')
      return
    case 'accept':
      from(quote.status === 'sent' && !isExpired)
      if (!act.isSound) refuse(422)
      if (!act.isAsPriced) refuse(409)
      quote.status = 'converted'
      family.orders += 1
      break
    case 'decline':
      from(isTalkedAbout)
      quote.status = 'declined'
      break
  }
  quote.version += 1
}

/** All revisions after a deed; by which status it is refused where it is, and then nothing has changed. */
export function after(family: Family, act: Act): Family | Refusal {
  const next = structuredClone(family)
  try {
    if ('linkGuid' in act) byGuest(next, act)
    else byOffice(next, act)
    return next
  } catch (error) {
    if (error instanceof Refused) return error.status
    throw error
  }
}

import { sql } from 'kysely'
import { notFound } from '../../contract/core/errors.ts'
import { displayStatus } from '../../contract/display-status.ts'
import type { LineOptions } from '../../contract/line-options.ts'
import type { Line } from '../../contract/lines.ts'
import type { Ask } from '../../contract/negotiation.ts'
import { dueOnAcceptance, shownStages } from '../../contract/stages.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import type { Db } from '../core/ctx.ts'
import { linesJson } from '../documents/lines.service.ts'
import { siteLabelOf } from '../documents/parties.service.ts'
import { publicLines } from '../documents/public-lines.service.ts'
import { asksOf } from './quotes.queries.ts'
import { askedLines, lineQuestions, shownLines } from './questions.service.ts'

interface Numbered {
  serviceGuid: string
  number: string
}

const orderOfQuote = sql<Numbered | null>`(select json_build_object('serviceGuid', sl.guid, 'number', o.number)
  from orders o
  join service_links sl on sl.kind = 'order' and sl.record_guid = o.guid and sl.revoked_at is null
  where o.quote_guid = q.guid and o.archived_at is null)`
const depositOfQuote = sql<
  (Numbered & { balanceCents: number }) | null
>`(select json_build_object('serviceGuid', sl.guid, 'number', i.number, 'balanceCents', i.balance_cents) from invoices i
  join service_links sl on sl.kind = 'invoice' and sl.record_guid = i.guid and sl.revoked_at is null
  where i.quote_guid = q.guid and i.kind = 'deposit' and i.status = 'issued' and i.archived_at is null)`
const revisionsOfQuote = sql<
  ServiceQuote['revisions']
>`(select coalesce(json_agg(json_build_object('revision', r.revision, 'sentAt', r.sent_at, 'totalCents', r.total_cents)
  order by r.revision), '[]'::json)
  from quotes r where r.root_guid = q.root_guid and r.sent_at is not null and r.revision <= q.revision)`

/** A line with everything that prices it again, which no customer is shown. */
type KeptLine = Line & { kept: LineOptions | null; originLineGuid: string | null }

const guestQuotes = (db: Db) =>
  db
    .selectFrom('quotes as q')
    .innerJoin('parties as c', 'c.memberGuid', 'q.customerGuid')
    .select([
      'q.guid',
      'q.rootGuid',
      'q.businessGuid',
      'q.version',
      'q.snapshotSha256 as documentSha256',
      'q.number',
      'q.revision',
      'q.title',
      'q.baseStatus',
      'q.sentAt',
      'q.validUntil',
      'q.priceMode',
      'q.roundingRule',
      'q.discount',
      'q.depositRule',
      'q.schedule',
      'q.intro',
      'q.terms',
    ])
    .select([
      'q.subtotalCents',
      'q.discountCents',
      'q.gstCents',
      'q.totalCents',
      'q.optionalTotalCents',
      'q.acceptance',
      'q.changeRequest',
      'c.displayName',
      'c.language',
    ])
    .select([
      siteLabelOf('q.siteGuid').as('siteLabel'),
      linesJson<KeptLine>('quote_lines', 'q.guid', sql`, 'kept', l.options, 'originLineGuid', l.origin_line_guid`).as(
        'lines',
      ),
      orderOfQuote.as('order'),
      depositOfQuote.as('invoice'),
      asksOf('q').as('asks'),
      revisionsOfQuote.as('revisions'),
    ])

/** A quote behind a link, with what its customer sees. Drafts, superseded and archived quotes are not there. */
export const findGuestQuote = (db: Db, linkGuid: string) =>
  guestQuotes(db)
    .innerJoin('serviceLinks as k', 'k.recordGuid', 'q.guid')
    .where('k.guid', '=', linkGuid)
    .where('k.kind', '=', 'quote')
    .where('k.revokedAt', 'is', null)
    .where('q.status', 'not in', ['draft', 'superseded'])
    .where('q.archivedAt', 'is', null)
    .executeTakeFirst()

/** The same of a quote that is known by itself. */
export const guestQuoteOf = (db: Db, quoteGuid: string) =>
  guestQuotes(db).where('q.guid', '=', quoteGuid).executeTakeFirstOrThrow()

export type GuestQuoteRow = Awaited<ReturnType<typeof guestQuoteOf>>

/** As staff sees it, but that looking at it is no news to whoever did. */
function statusOf(row: GuestQuoteRow, day: string): ServiceQuote['status'] {
  const status = displayStatus('Quotes', row, day)
  if (status === 'draft' || status === 'superseded') throw notFound()
  return status === 'viewed' ? 'sent' : status
}

/** Asks as their customer reads them: of the line as it is in the revision he has, where it still is. */
function shownAsks({ asks, lines }: GuestQuoteRow): ServiceQuote['asks'] {
  const here = new Map(lines.map(({ guid, originLineGuid }) => [originLineGuid ?? guid, guid]))
  return asks.map(({ originLineGuid, lineGuid, answer, ...one }: Ask) => ({
    ...one,
    lineGuid: here.get(originLineGuid ?? lineGuid ?? '') ?? null,
    answer: answer && { ...answer, by: undefined },
  }))
}

/** A quote as its customer sees it on a day: nothing internal, nobody else's. */
export function projected(row: GuestQuoteRow, day: string): ServiceQuote {
  const {
    subtotalCents,
    discountCents,
    gstCents,
    totalCents,
    optionalTotalCents,
    depositRule,
    acceptance,
    displayName,
    language,
    ...rest
  } = row
  return {
    ...rest,
    lines: shownLines(publicLines(row.lines, row.roundingRule), language),
    questions: ['sent', 'viewed'].includes(row.baseStatus) ? lineQuestions(askedLines(row), row.priceMode) : [],
    number: row.number ?? '',
    status: statusOf(row, day),
    customer: { name: displayName, language },
    depositCents: dueOnAcceptance(row, totalCents),
    depositRule: depositRule === null || depositRule.type === 'none' || row.schedule ? null : depositRule,
    stages: shownStages(row.schedule, totalCents),
    totals: { subtotalCents, discountCents, gstCents, totalCents, optionalTotalCents },
    acceptedBy: acceptance ? { name: acceptance.name, at: acceptance.at, signature: acceptance.signature } : null,
    asks: shownAsks(row),
  }
}

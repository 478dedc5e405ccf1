import type { Generated } from 'kysely'
import type { Every } from '../../../contract/core/recurrence.ts'
import type { DepositRule, Discount, QuoteTotals } from '../../../contract/lines.ts'
import type { Stage } from '../../../contract/stages.ts'
import type { SeriesEnds, SeriesStatus } from '../../../contract/series.ts'
import type { Record } from './schema-business.ts'
import type { Computed, Instant, InstantOrNull, Json, JsonOrNull, Optional } from './schema-kinds.ts'

type Sums = { [K in keyof QuoteTotals]: Generated<number> }

interface QuoteSeries extends Omit<Record, 'archivedAt'>, Sums {
  businessGuid: string
  customerGuid: string
  contactGuid: Optional<string>
  siteGuid: Optional<string>
  ownerGuid: Optional<string>
  title: string
  status: Generated<SeriesStatus>
  priceMode: 'exclusive' | 'inclusive'
  roundingRule: 'total_invoice' | 'taxable_supply'
  discount: JsonOrNull<Discount>
  depositRule: JsonOrNull<DepositRule>
  schedule: JsonOrNull<Stage[]>
  jobTypeGuid: Optional<string>
  intro: Optional<string>
  terms: Optional<string>
  internalNotes: Optional<string>
  /** Lines as quotes have them: `server/series/content.ts` reads and writes them. */
  lines: Json<unknown>
  carriedGuids: Generated<readonly string[]>
  everyN: number
  everyUnit: Every['unit']
  anchorOn: string
  anchorN: Generated<number>
  leadDays: Generated<number>
  ends: Json<SeriesEnds>
  mode: Generated<'draft' | 'send'>
  catchUp: Generated<number>
  nextN: Generated<number>
  nextOn: Optional<string>
  dueOn: Optional<string>
  madeOn: Optional<string>
  pausedOn: Optional<string>
  reason: Optional<string>
  searchText: Computed<string>
}
interface SeriesCycles {
  seriesGuid: string
  n: number
  cycleOn: string
  quoteGuid: Optional<string>
  reason: Optional<'catch_up' | 'paused'>
  madeAt: Instant
}
interface SeriesRises {
  guid: Generated<string>
  riseGuid: string
  businessGuid: string
  seriesGuid: string
  fromOn: string
  bp: number
  stepCents: number
  excludedGuids: Generated<readonly string[]>
  beforeCents: number
  afterCents: number
  createdAt: Instant
  createdBy: Optional<string>
  undoneAt: InstantOrNull
  undoneBy: Optional<string>
}

export interface SeriesTables {
  quoteSeries: QuoteSeries
  seriesCycles: SeriesCycles
  seriesRises: SeriesRises
}

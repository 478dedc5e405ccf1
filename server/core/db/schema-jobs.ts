import type { Generated } from 'kysely'
import type { PlannedReport, RunItem } from '../../../contract/jobs.ts'
import type { GivenInstant, Instant, InstantOrNull, Json, JsonOrNull, Optional } from './schema-kinds.ts'

interface CronJobs {
  name: string
  isPaused: Generated<boolean>
  pausedReason: Optional<string>
  lastRunAt: InstantOrNull
  lastRunBy: Optional<string>
  lastReport: JsonOrNull<PlannedReport>
  /** Of what the last run said of its items: one that says the same again is not kept. */
  lastDigest: Optional<string>
  updatedAt: Instant
}
interface CronRuns {
  guid: string
  name: string
  startedAt: GivenInstant
  startedBy: string
  report: Json<PlannedReport>
}
interface CronRunItems {
  runGuid: string
  position: number
  key: string
  businessGuid: Optional<string>
  recordGuid: string
  recordLabel: string
  outcome: RunItem['outcome']
  effect: Optional<string>
  reason: Optional<string>
}

export interface JobTables {
  cronJobs: CronJobs
  cronRuns: CronRuns
  cronRunItems: CronRunItems
}

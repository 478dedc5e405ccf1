import type { ActionStatus, RunState, SkipReason } from '../../contract/actions.ts'
import { type T, useT } from '../core/i18n/i18n.ts'
import { StatusChip, type Tone } from '../core/ui/status-chip.tsx'

/** Whether an action is on. */
export function ActionChip({ status }: { status: ActionStatus }) {
  const t = useT('actions')
  return <StatusChip status={status} label={t(`actions:status.${status}`)} />
}

export const stateTone: Readonly<Record<RunState, Tone>> = {
  waiting: 'info',
  running: 'primary',
  done: 'success',
  skipped: 'neutral',
  failed: 'error',
}

const skips = {
  owner: 'owner',
  too_deep: 'tooDeep',
  loop: 'loop',
  too_many: 'tooMany',
  runaway: 'runaway',
  not_met: 'notMet',
  archived: 'archived',
} as const satisfies Record<SkipReason, string>
/** Why a run was not made, or what refused it: that is said by the server. */
export const reasonText = (t: T, reason: string): string =>
  Object.hasOwn(skips, reason) ? t(`actions:skips.${skips[reason as SkipReason]}`) : reason

import { z } from 'zod'
import type { FieldError } from './core/errors.ts'
import { basisPoints, day, positiveCents, text } from './core/common.ts'
import { depositAmount, scaleCents } from './core/money.ts'
import type { DepositRule } from './lines.ts'

/** When a stage of the payments is to be billed. `acceptance` is billed at once, all others once they are ready. */
const stageDue = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['acceptance', 'start', 'completion']) }),
  z.strictObject({ type: z.literal('day'), on: day }),
])
export type StageDue = z.infer<typeof stageDue>
/** `percent` in basis points of the total, `fixed` in cents with GST; `rest` is what the others leave. */
const stageAmount = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('percent'), bp: basisPoints.min(1) }),
  z.strictObject({ type: z.literal('fixed'), cents: positiveCents }),
  z.strictObject({ type: z.literal('rest') }),
])
const stage = z.strictObject({ label: text(80), amount: stageAmount, due: stageDue })
export type Stage = z.infer<typeof stage>
export const maxStages = 12
export const schedule = z
  .array(stage)
  .min(2, 'Add at least two stages.')
  .max(maxStages, 'A schedule has up to 12 stages.')

/** What is wrong with a schedule, by `schedule.<i>.<field>`. */
export function scheduleProblems(stages: readonly Stage[]): FieldError[] {
  return stages.flatMap(({ amount, due }, i): FieldError[] => {
    const isLast = i === stages.length - 1
    if (isLast !== (amount.type === 'rest'))
      return [{ path: `schedule.${i}.amount`, message: 'The last stage takes the rest.' }]
    if (due.type === 'acceptance' && i > 0)
      return [{ path: `schedule.${i}.due`, message: 'Only the first stage can be due on acceptance.' }]
    const before = stages[i - 1]?.due
    if (due.type === 'day' && before?.type === 'day' && due.on < before.on)
      return [{ path: `schedule.${i}.due`, message: 'Choose a day that is not before the stage above.' }]
    return []
  })
}

/** Cents of each stage, in order: each as much as it asks for while something is left, the last all of the rest. */
export function stageAmounts(stages: readonly Pick<Stage, 'amount'>[], totalCents: number): number[] {
  let left = Math.max(0, totalCents)
  return stages.map(({ amount }) => {
    const wanted =
      amount.type === 'rest'
        ? left
        : amount.type === 'fixed'
          ? amount.cents
          : scaleCents(Math.max(0, totalCents), amount.bp, 10_000)
    const cents = Math.min(wanted, left)
    left -= cents
    return cents
  })
}

/** A stage as far as its amount may still change: what is billed stays. */
interface Movable {
  cents: number
  isBilled: boolean
}

/**
 * Stages after an order came to `deltaCents` more or less: the last that is not billed takes it, then those before.
 * Null where more would be taken than is left to bill, or where a rise finds no stage: then there has to be another.
 */
export function moveStages(stages: readonly Movable[], deltaCents: number): number[] | null {
  const cents = stages.map((one) => one.cents)
  let left = deltaCents
  for (let i = stages.length - 1; i >= 0 && left !== 0; i--) {
    const one = stages[i]
    if (!one || one.isBilled) continue
    const moved = Math.max(left, -one.cents)
    cents[i] = one.cents + moved
    left -= moved
  }
  return left === 0 ? cents : null
}

/** Stages of an order that ended early: what is billed stays, and what is left is in the first of the others. */
export function endStages(stages: readonly Movable[], totalCents: number): number[] {
  let left = Math.max(0, totalCents - stages.reduce((sum, { cents, isBilled }) => sum + (isBilled ? cents : 0), 0))
  return stages.map(({ cents, isBilled }) => {
    if (isBilled) return cents
    const taken = left
    left = 0
    return taken
  })
}

/** How a stage stands. A void of its invoice makes it ready again; one of nothing is `included`. */
export const stageStates = ['upcoming', 'ready', 'drafted', 'issued', 'paid', 'included'] as const
export type StageState = (typeof stageStates)[number]

export interface StageFacts {
  cents: number
  due: StageDue
  /** The invoice that bills it; none while nothing does. */
  invoice: { status: string; balanceCents: number } | null
}
export interface StageOrder {
  startedAt: string | null
  completedAt: string | null
}

/** `today` is the day of the order's business. */
export function stageState({ cents, due, invoice }: StageFacts, order: StageOrder, today: string): StageState {
  if (invoice) {
    if (invoice.status === 'draft' || invoice.status === 'scheduled') return 'drafted'
    return invoice.balanceCents > 0 ? 'issued' : 'paid'
  }
  if (cents === 0) return 'included'
  const isReady = {
    acceptance: true,
    start: order.startedAt !== null,
    completion: order.completedAt !== null,
    day: due.type === 'day' && due.on <= today,
  }[due.type]
  return isReady ? 'ready' : 'upcoming'
}

/** What an accepted quote asks for at once, GST included: the deposit, or the first stage where that is due then. */
export const dueOnAcceptance = (
  { depositRule, schedule }: { depositRule: DepositRule | null; schedule: readonly Stage[] | null },
  totalCents: number,
): number => {
  if (!schedule) return depositAmount(depositRule, totalCents)
  return schedule[0]?.due.type === 'acceptance' ? (stageAmounts(schedule, totalCents)[0] ?? 0) : 0
}

/** Stages as documents and pages show them, with what each comes to. */
export const shownStage = z.object({ label: z.string(), due: stageDue, cents: z.int() })
export type ShownStage = z.infer<typeof shownStage>
export const shownStages = (schedule: readonly Stage[] | null, totalCents: number): ShownStage[] => {
  const amounts = stageAmounts(schedule ?? [], totalCents)
  return (schedule ?? []).map(({ label, due }, i) => ({ label, due, cents: amounts[i] ?? 0 }))
}

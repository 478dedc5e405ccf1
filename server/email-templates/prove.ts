import { AppError } from '../../contract/core/errors.ts'
import {
  maxTemplateProblems,
  type TemplateBlank,
  type TemplateLanguages,
  type TemplateProblem,
  type TemplateProof,
  type TemplateTexts,
} from '../../contract/email-templates.ts'
import type { TemplateKind } from '../../contract/messages.ts'
import type { Ctx, Db, OpenCtx } from '../core/ctx.ts'
import { defineJob } from '../core/jobs/jobs.ts'
import { trialFacts, triedBlanks, tryTexts, versionProblems } from '../messages/trial.service.ts'
import { timeZoneOf } from './email-templates.queries.ts'
import { labelsOf, proofRecords } from './records.ts'

const proveQueue = 'template.prove'

interface Rendering {
  businessGuid: string
  kind: TemplateKind
  said: TemplateLanguages
  timeZone: string
}
type From = Pick<Ctx, 'db' | 'deps'>

interface Looked {
  problems: Unnamed[]
  /** Variables that leave a gap. */
  blanks: string[]
}
type Unnamed = Omit<TemplateProblem, 'record'>

/** What goes wrong with one record, in its customer's language; English where that isn’t written. */
async function lookAt(from: From, rendering: Rendering, recordGuid: string | null): Promise<Looked> {
  const { businessGuid, kind, said, timeZone } = rendering
  const facts = await trialFacts(from, { businessGuid, kind, recordGuid })
  const language = said[facts.language] ? facts.language : 'en'
  const texts = said[language] as TemplateTexts
  const settings = { language, timeZone }
  const problems = tryTexts(kind, texts, facts, settings, true).problems.map((found) => ({ ...found, language }))
  return { problems, blanks: problems.length > 0 ? [] : triedBlanks(kind, texts, facts, settings) }
}

interface Rendered {
  failed: number
  problems: TemplateProblem[]
  blanks: TemplateBlank[]
}
/** Records that are named beside the first one that has a gap. */
const maxOthers = 2
const noneRendered: Rendered = { failed: 0, problems: [], blanks: [] }

/** Renders some records, and tells what is wrong with them by name; a record that has gone meanwhile is none. */
export async function renderRecords(
  from: From,
  rendering: Rendering,
  guids: readonly string[],
  soFar = noneRendered,
): Promise<Rendered> {
  const wrong: { guid: string; problems: Unnamed[] }[] = []
  const counted = new Map(soFar.blanks.map((blank) => [blank.variable, blank]))
  for (const guid of guids) {
    const { problems, blanks } = await lookAt(from, rendering, guid).catch((error: unknown): Looked => {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return { problems: [], blanks: [] }
      throw error
    })
    if (problems.length > 0) wrong.push({ guid, problems })
    for (const variable of blanks) {
      const before = counted.get(variable)
      const named = { guid, label: '' }
      const { records, example, others = [] } = before ?? { records: 0, example: named }
      const isNamed = before !== undefined && others.length < maxOthers
      counted.set(variable, { variable, records: records + 1, example, others: isNamed ? [...others, named] : others })
    }
  }
  const room = maxTemplateProblems - soFar.problems.length
  const told = wrong.slice(0, Math.max(0, room))
  const blanks = [...counted.values()].slice(0, maxTemplateProblems)
  const labels = await labelsOf(
    from.db,
    rendering.kind,
    [...told, ...blanks.flatMap(({ example, others = [] }) => [example, ...others])].map(({ guid }) => guid),
  )
  const labelled = ({ guid }: { guid: string }) => ({ guid, label: labels.get(guid) ?? '' })
  const problems = told.flatMap(({ guid, problems: found }) =>
    found.map((problem): TemplateProblem => ({ ...problem, record: labelled({ guid }) })),
  )
  return {
    failed: soFar.failed + wrong.length,
    problems: [...soFar.problems, ...problems].slice(0, maxTemplateProblems),
    blanks: blanks.map(({ example, others = [], ...blank }) => ({
      ...blank,
      example: labelled(example),
      others: others.map(labelled),
    })),
  }
}

const keepProof = (db: Db, versionGuid: string, proof: TemplateProof) =>
  db
    .updateTable('templateVersions')
    .set({ proof: JSON.stringify(proof) })
    .where('guid', '=', versionGuid)
    .execute()

/** Enough that progress is seen, and not so many that it is mostly told. */
const stepSize = 100

/** Renders a version for every record of its kind; the version says how far that is. */
export async function runProof(ctx: OpenCtx, versionGuid: string): Promise<void> {
  const row = await ctx.db
    .selectFrom('templateVersions as v')
    .innerJoin('templates as t', 't.guid', 'v.templateGuid')
    .select(['v.languages', 't.kind', 't.businessGuid', 't.guid'])
    .where('v.guid', '=', versionGuid)
    .executeTakeFirst()
  if (!row) return
  const { kind, businessGuid, languages: said } = row
  const at = ctx.deps.now().toISOString()
  const keep = (proof: Omit<TemplateProof, 'at'>) =>
    ctx.tx(async (tx) => {
      await keepProof(tx.db, versionGuid, { ...proof, at })
      // Whoever looks at the template sees how far it is.
      await tx.db
        .updateTable('templates')
        .set((eb) => ({ kind: eb.ref('kind') }))
        .where('guid', '=', row.guid)
        .execute()
    })
  const found = versionProblems(kind, said)
  if (found.length > 0) return keep({ state: 'failed', done: 0, total: 0, failed: 0, problems: found })
  const rendering = { businessGuid, kind, said, timeZone: await timeZoneOf(ctx.db, businessGuid) }
  const guids = await proofRecords(ctx.db, kind, businessGuid)
  const total = guids.length
  if (total === 0) {
    const { problems } = await lookAt(ctx, rendering, null)
    const named = problems.map((problem) => ({ ...problem, record: null }))
    return keep({ state: named.length > 0 ? 'failed' : 'passed', done: 0, total, failed: 0, problems: named })
  }
  let rendered = noneRendered
  for (let done = 0; done < total; done += stepSize) {
    await keep({ state: 'running', done, total, ...rendered })
    rendered = await renderRecords(ctx, rendering, guids.slice(done, done + stepSize), rendered)
  }
  await keep({ state: rendered.failed > 0 ? 'failed' : 'passed', done: total, total, ...rendered })
}

export const proveJob = defineJob(
  proveQueue,
  { effect: 'external', concurrency: 1, policy: 'short', expireInSeconds: 1800, retryLimit: 2 },
  (ctx, { versionGuid }: { versionGuid: string }) => runProof(ctx, versionGuid),
)

/** A proof that has just been asked for. */
export async function beginProof(ctx: Ctx, versionGuid: string): Promise<TemplateProof> {
  const at = ctx.now.toISOString()
  const proof: TemplateProof = { state: 'running', done: 0, total: 0, failed: 0, problems: [], at }
  await keepProof(ctx.db, versionGuid, proof)
  await ctx.enqueue(proveQueue, { versionGuid }, { singletonKey: versionGuid })
  return proof
}

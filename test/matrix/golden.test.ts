import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildAbility, rowAllowed } from '../../contract/core/ability.ts'
import type { Actor } from '../../server/core/ctx.ts'
import { authorize } from '../../server/core/http/permission.ts'
import { everyoneRules, loadRules } from '../../server/core/rights.ts'
import { type GoldenCase, goldenCases } from '../support/golden.ts'
import { type Running, startApp } from '../support/start.ts'

let app: Running
const roles = new Map<string, string>()
beforeAll(async () => {
  app = await startApp()
  const made = await app.deps.db
    .insertInto('roles')
    .values(goldenCases.map((_, i) => ({ name: `case ${i}` })))
    .returning(['guid', 'name'])
    .execute()
  const guids = new Map(made.map(({ guid, name }) => [name, guid]))
  const rules = goldenCases.flatMap((one, i) => {
    roles.set(one.title, guids.get(`case ${i}`) ?? '')
    return one.rules.map((rule) => ({
      ...rule,
      roleGuid: guids.get(`case ${i}`) ?? '',
      conditions: JSON.stringify(rule.conditions ?? {}),
    }))
  })
  await app.deps.db.insertInto('permissions').values(rules).execute()
})
afterAll(() => app.stop())

async function actorOf({ title, who }: GoldenCase): Promise<Actor> {
  const roleGuid = roles.get(title) ?? ''
  const rules = await loadRules(app.deps.db, roleGuid)
  const rights = { rules, ability: buildAbility(rules, everyoneRules) }
  if (who === 'visitor') return { kind: 'none', apiGuid: '', ...rights }
  return who === 'guest'
    ? { kind: 'guest', apiGuid: '', sessionGuid: '', roleGuid, ...rights }
    : { kind: 'user', apiGuid: '', sessionGuid: '', userGuid: '', name: '', roleGuid, worksIn: null, ...rights }
}

it('the server decides the agreed cases of rights as agreed, with the rules as they are stored', async () => {
  const wrong: string[] = []
  for (const one of goldenCases) {
    const actor = await actorOf(one)
    let isAllowed: boolean
    try {
      const rows = authorize({ can: [one.action, one.subject], who: 'public' }, actor, one.hasApiGuid)
      isAllowed = one.row ? rowAllowed(rows, one.row) : true
    } catch {
      isAllowed = false
    }
    if (isAllowed !== one.allowed) wrong.push(one.title)
  }
  expect(wrong).toEqual([])
})

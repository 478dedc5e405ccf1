import { centsToDecimal } from '../../contract/core/money.ts'
import { conflict, invalid, invalidTransition, notFound } from '../../contract/core/errors.ts'
import { localDay } from '../../contract/core/dates.ts'
import type { Input } from '../../contract/core/op.ts'
import { journalApi, ledgerPageSize, outBy, takesHand } from '../../contract/journal.ts'
import { type JournalSource, reversalBegins } from '../../contract/ledger.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { inCents, tableFile } from '../core/http/table-file.ts'
import { changed, firstStamp, stamp } from '../core/records.ts'
import { spoken } from './locks.service.ts'
import {
  accountsOf,
  balancesOf,
  documentOf,
  entryWithLines,
  insertEntry,
  ledgerOf,
  findEntry,
  type Side,
  sidesOfEntry,
  strangersAmong,
} from './journal.queries.ts'

type Api = typeof journalApi

sayConstraints({
  account_code_taken: ['ALREADY_EXISTS', 'Another account has this code.', 'code'],
  journal_reversed_once: ['CONFLICT', 'This entry is already reversed.'],
})

/** The books are the legal entity's: those of a brand with its company. */
const entityOf = (ctx: Ctx) => ctx.business.entityGuid
const todayOf = (ctx: Ctx) => localDay(ctx.now.toISOString(), ctx.business.timeZone)

async function accounts(ctx: Ctx) {
  const rows = await accountsOf(ctx.db, entityOf(ctx))
  const balances = await balancesOf(ctx, entityOf(ctx), null)
  return { accounts: rows.map((row) => ({ ...row, balanceCents: balances.get(row.code) ?? 0 })) }
}

async function one(ctx: Ctx, guid: string) {
  const found = (await accounts(ctx)).accounts.find((account) => account.guid === guid)
  if (!found) throw notFound()
  return { account: found }
}

async function createAccount(ctx: Ctx, input: Input<Api['createAccount']>) {
  const guid = newGuid()
  await ctx.db
    .insertInto('accounts')
    .values({ ...input, guid, businessGuid: entityOf(ctx), ...firstStamp(ctx) })
    .execute()
  const name = `${input.code} ${input.name}`
  ctx.audit({ action: 'business.account_added', entity: 'Businesses', guid: entityOf(ctx), after: { name } })
  return one(ctx, guid)
}

async function updateAccount(ctx: Ctx, input: Input<Api['updateAccount']>) {
  const { guid, version, ...changes } = input
  const before = await ctx.db
    .selectFrom('accounts')
    .selectAll()
    .where('guid', '=', guid)
    .where('businessGuid', '=', entityOf(ctx))
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw notFound()
  await checkVersion(before, version, journalApi.updateAccount, () => one(ctx, guid))
  const after = await ctx.db
    .updateTable('accounts')
    .set({ ...changes, ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const change = changed(before, after)
  ctx.audit({
    action: 'business.account_updated',
    entity: 'Businesses',
    guid: entityOf(ctx),
    before: change.before,
    after: { ...change.after, name: `${after.code} ${after.name}` },
  })
  return one(ctx, guid)
}

/** Accounts that follow documents are moved by their documents alone; those of another legal entity are not there. */
async function postedLines(ctx: Ctx, lines: Input<Api['post']>['lines']): Promise<Side[]> {
  const known = new Map((await accountsOf(ctx.db, entityOf(ctx))).map((row) => [row.guid, row]))
  const strangers = await strangersAmong(ctx, lines)
  return lines.map((line, i) => {
    const row = known.get(line.accountGuid)
    if (!row) throw invalid(`lines.${i}.accountGuid`, 'Choose an account.')
    if (!row.isActive) throw invalid(`lines.${i}.accountGuid`, `${row.name} is closed. Choose another account.`)
    if (!takesHand(row))
      throw invalid(`lines.${i}.accountGuid`, `${row.name} follows its documents. Record a payment, note or write-off.`)
    if (line.customerGuid && strangers.has(line.customerGuid))
      throw invalid(`lines.${i}.customerGuid`, 'Choose a customer.')
    if (line.revenueStreamGuid && strangers.has(line.revenueStreamGuid))
      throw invalid(`lines.${i}.revenueStreamGuid`, 'Choose a revenue stream.')
    const { revenueStreamGuid = null, customerGuid = null } = line
    const sides = { debitCents: 0, creditCents: 0, ...line }
    return {
      account: row.code,
      debitCents: sides.debitCents,
      creditCents: sides.creditCents,
      revenueStreamGuid,
      customerGuid,
      gstCode: null,
    }
  })
}

function checkDay(ctx: Ctx, path: string, on: string, from: string) {
  if (on > todayOf(ctx)) throw invalid(path, 'Choose today or an earlier date.')
  if (on < from) throw invalid(path, `Choose ${spoken(from)} or later.`)
}

async function post(ctx: Ctx, input: Input<Api['post']>) {
  const { postedOn, narrative, lines } = input
  const entity = await ctx.db
    .selectFrom('businesses')
    .select('beganOn')
    .where('guid', '=', entityOf(ctx))
    .executeTakeFirstOrThrow()
  checkDay(ctx, 'postedOn', postedOn, entity.beganOn)
  const sides = await postedLines(ctx, lines)
  const off = outBy(sides)
  if (off !== 0) throw invalid('lines', `Out by $${centsToDecimal(Math.abs(off))}.`)
  const guid = newGuid()
  await insertEntry(
    ctx.db,
    { guid, businessGuid: ctx.business.guid, source: 'manual', sourceGuid: guid, postedOn, narrative },
    sides,
  )
  ctx.audit({
    action: 'business.entry_posted',
    entity: 'Businesses',
    guid: ctx.business.guid,
    after: {
      name: narrative,
      amountCents: sides.reduce((sum, side) => sum + side.debitCents, 0),
      postedOn,
      entryGuid: guid,
    },
  })
  return { entry: await entryWithLines(ctx.db, guid) }
}

/** What to do instead with an entry that follows a document. */
function followsSentence(source: JournalSource, number: string): string {
  if (source === 'payment') return `This entry belongs to ${number}. Reverse the payment.`
  if (source === 'invoice') return `This entry belongs to ${number}. Void the invoice or adjust it.`
  return `This entry belongs to ${number} and follows it.`
}

async function reverse(ctx: Ctx, input: Input<Api['reverse']>) {
  const { guid, reason, on = todayOf(ctx) } = input
  const found = await findEntry(ctx, guid, entityOf(ctx))
  if (!found) throw notFound()
  if (found.source === 'reversal') throw invalidTransition('This entry is a reversal itself.')
  if (found.source !== 'manual') {
    const number = await documentOf(ctx.db, guid)
    throw invalidTransition(number ? followsSentence(found.source, number) : 'This entry follows its documents.')
  }
  if (found.reversedBy) throw conflict('This entry is already reversed.')
  checkDay(ctx, 'on', on, found.postedOn)
  const mirror = newGuid()
  const sides = (await sidesOfEntry(ctx.db, guid)).map(({ debitCents, creditCents, ...side }) => ({
    ...side,
    debitCents: creditCents,
    creditCents: debitCents,
  }))
  await insertEntry(
    ctx.db,
    {
      guid: mirror,
      businessGuid: found.businessGuid,
      source: 'reversal',
      sourceGuid: mirror,
      reversesGuid: guid,
      postedOn: on,
      narrative: `${reversalBegins}${found.narrative}`.slice(0, 200),
      reason,
    },
    sides,
  )
  ctx.audit({
    action: 'business.entry_reversed',
    entity: 'Businesses',
    guid: found.businessGuid,
    after: {
      name: found.narrative,
      amountCents: sides.reduce((sum, side) => sum + side.debitCents, 0),
      reason,
      postedOn: on,
      entryGuid: mirror,
    },
  })
  return { entry: await entryWithLines(ctx.db, mirror) }
}

async function trialBalance(ctx: Ctx, { on = todayOf(ctx) }: Input<Api['trialBalance']>) {
  const known = await accountsOf(ctx.db, entityOf(ctx))
  const balances = await balancesOf(ctx, entityOf(ctx), on)
  const rows = known.flatMap(({ guid, code, name, role, type }) => {
    const cents = balances.get(code) ?? 0
    return cents === 0
      ? []
      : [{ guid, code, name, role, type, debitCents: Math.max(cents, 0), creditCents: Math.max(-cents, 0) }]
  })
  const totals = {
    debitCents: rows.reduce((sum, row) => sum + row.debitCents, 0),
    creditCents: rows.reduce((sum, row) => sum + row.creditCents, 0),
  }
  return { on, rows, totals }
}

/** As the page shows it, its totals in the last row. */
async function trialBalanceFile(ctx: Ctx, input: Input<Api['trialBalanceFile']>) {
  const { on, rows, totals } = await trialBalance(ctx, input)
  const sides = (of: { debitCents: number; creditCents: number }) => [of.debitCents, of.creditCents].map(inCents)
  return tableFile(
    `trial-balance-${on}.csv`,
    ['Code', 'Account', 'Type', 'Debit', 'Credit'],
    [...rows.map((row) => [row.code, row.name, row.type, ...sides(row)]), ['', 'Total', '', ...sides(totals)]],
  )
}

async function ledger(ctx: Ctx, input: Input<Api['ledger']>) {
  const { accountGuid, from, to = todayOf(ctx), page = 1 } = input
  const { account } = await one(ctx, accountGuid)
  if (from && from > to) throw invalid('to', 'Choose a day that isn’t before the first.')
  const of = { entityGuid: entityOf(ctx), code: account.code }
  const period = { from: from ?? null, to }
  const { rows, rowCount, openingCents, movedCents } = await ledgerOf(ctx, of, {
    ...period,
    ...{ page, size: ledgerPageSize },
  })
  return {
    ...{ account, openingCents, rowCount },
    ...period,
    rows: rows.map((row) => ({ ...row, balanceCents: openingCents + row.balanceCents })),
    closingCents: openingCents + movedCents,
  }
}

export const journal: Handlers<Api> = {
  accounts,
  createAccount,
  updateAccount,
  post,
  reverse,
  trialBalance,
  trialBalanceFile,
  ledger,
}

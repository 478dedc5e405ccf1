import { createHash } from 'node:crypto'
import { notFound } from '../../contract/core/errors.ts'
import type { Letterhead } from '../../contract/documents.ts'
import type { Statement, StatementPaper } from '../../contract/statements.ts'
import type { Ctx } from '../core/ctx.ts'
import type { BusinessRow } from '../core/business.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { defaultTheme } from '../themes/dressing.service.ts'
import { contactOf } from './document-messages.facts.ts'
import { suitOf } from './suit.service.ts'
import { askerOf, asFileName, canonical } from './documents.service.ts'

type Told = Pick<
  Statement,
  'kind' | 'from' | 'to' | 'openingCents' | 'rows' | 'closingCents' | 'creditCents' | 'ageing'
>

/** A statement of a customer on the paper of a business, as it is now. */
export async function paperOf(
  { db, deps }: Pick<Ctx, 'db' | 'deps'>,
  business: BusinessRow,
  customerGuid: string,
  { told, link }: { told: Told; link: string | null },
): Promise<StatementPaper> {
  const customer = await db
    .selectFrom('parties')
    .select(['displayName', 'abn', 'email', 'billingAddress', 'language'])
    .where('memberGuid', '=', customerGuid)
    .executeTakeFirstOrThrow()
  const version = await defaultTheme(db, business.guid)
  const { kind, from, to, openingCents, rows, closingCents, creditCents, ageing } = told
  return {
    format: 1,
    language: customer.language,
    business: { ...letterheadOf(business), ...(version ? { themeVersionGuid: version.guid } : {}) },
    billTo: {
      name: customer.displayName,
      abn: customer.abn,
      email: customer.email,
      address: customer.billingAddress,
      contact: await contactOf(db, customerGuid),
    },
    ...{ kind, from, to, openingCents, rows, closingCents, creditCents, ageing },
    link,
    canPayByCard: link !== null && deps.settings.paymentProvider !== 'none',
  }
}

export const letterheadOf = (row: BusinessRow): Letterhead => ({
  name: row.tradingName ?? row.legalName,
  legalName: row.legalName,
  ...(row.parentGuid === null ? {} : { isBrand: true }),
  abn: row.abn,
  gstRegistered: row.gstRegistered,
  email: row.email,
  phone: row.phone,
  website: row.website,
  address: row.address,
  bankAccount: row.bankAccount,
  primaryColour: row.primaryColour,
  timeZone: row.timeZone,
  logo: row.logoSha256 && row.logoMime ? { sha256: row.logoSha256, mime: row.logoMime } : null,
})

type Drawing = Pick<Ctx, 'db' | 'deps' | 'actor' | 'request'>

/** For `external` operations and jobs: it is drawn in another process, never within a transaction. */
export async function drawStatement(
  ctx: Drawing,
  content: StatementPaper,
): Promise<{ bytes: Uint8Array; fileName: string }> {
  const { logo } = content.business
  const logoBytes = logo ? await ctx.deps.files.get(logo.sha256) : null
  const key = createHash('sha256').update(canonical(content)).digest('hex')
  const suit = await suitOf(ctx.db, content.business, content.language)
  const data = { content, suit, logo: logo && logoBytes ? { bytes: logoBytes, mime: logo.mime } : null }
  const bytes = await ctx.deps.renderer.render({ key, template: 'statement', data }, askerOf(ctx))
  return { bytes, fileName: statementFileName(content) }
}

export const statementFileName = ({ language, to }: StatementPaper): string =>
  asFileName(`${phrases('documents', language === 'fr' ? 'fr' : 'en')('statement.title')} ${to}`)

/** A statement that was sent, as it was sent. */
export async function drawSentStatement(ctx: Drawing, guid: string) {
  const sent = await ctx.db.selectFrom('statements').select('content').where('guid', '=', guid).executeTakeFirst()
  if (!sent) throw notFound()
  return drawStatement(ctx, sent.content)
}

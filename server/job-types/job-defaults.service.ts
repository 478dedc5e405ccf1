import { sql } from 'kysely'
import { invalid } from '../../contract/core/errors.ts'
import type { Language } from '../../contract/core/languages.ts'
import type { JobDefaults, JobString, JobType } from '../../contract/job-types.ts'
import { templateVariables } from '../../contract/template-variables.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { keeperOf, ofFamily } from '../core/family.ts'
import { readable } from '../core/http/permission.ts'
import { tryTemplate } from '../core/templates/check.ts'
import { filterReadableReferences, rowColumns } from '../row-scope/row-scope.service.ts'
import { noSite, type Values } from './job-strings.service.ts'

interface For {
  customerGuid?: string | undefined
  siteGuid?: string | undefined
}
interface Party extends Pick<Values, 'customer'> {
  language: Language
  site: Values['site'] | null
}

/** Whom it is for, among the customers the caller may read. */
async function partyOf(ctx: Ctx, { customerGuid, siteGuid }: For): Promise<Party | null> {
  if (!customerGuid) return null
  const rows = readable(ctx.actor, 'Customers', 'Guid')
  const found =
    rows === 'none'
      ? undefined
      : await applyRows(
          { actor: ctx.actor, rows },
          ctx.db.selectFrom('customers as c'),
          rowColumns(ctx, 'Customers', 'c'),
        )
          .select('c.language')
          .select([
            sql<Values['customer']>`json_build_object('name', c.display_name, 'email', c.email)`.as('customer'),
            sql<Values['site'] | null>`(select json_build_object('name', s.name, 'line1', s.address ->> 'line1',
              'suburb', s.address ->> 'suburb', 'state', s.address ->> 'state', 'postcode', s.address ->> 'postcode')
              from sites s where s.guid = ${siteGuid ?? null}::uuid
              and ${ofFamily('s', 'c.guid')})`.as('site'),
          ])
          .where('c.guid', '=', keeperOf(customerGuid))
          .executeTakeFirst()
  if (!found) throw invalid('customerGuid', 'We can’t find that customer.')
  return found
}

/** What a new document of a kind of job begins with, in the words of its customer. */
export async function defaultsOf(ctx: Ctx, jobType: JobType, given: For): Promise<JobDefaults> {
  const asked = jobType.lines.map((line) => line.productGuid)
  const products = asked.length
    ? await filterReadableReferences(
        ctx,
        'Products',
        await ctx.db
          .selectFrom('products')
          .select(['guid', 'name', 'kind', 'description', 'unit', 'priceCents', 'gstCode', 'status'])
          .where('guid', 'in', asked)
          .execute(),
      )
    : []
  const known = new Map(products.map((product) => [product.guid, product]))
  const party = await partyOf(ctx, given)
  const { business } = ctx
  const values = {
    business: {
      name: business.tradingName ?? business.legalName,
      legalName: business.legalName,
      phone: business.phone,
      email: business.email,
      website: business.website,
    },
    customer: party?.customer ?? { name: null, email: null },
    site: party?.site ?? noSite,
    jobType: { name: jobType.name, durationMin: jobType.durationMin },
  }
  const language = party?.language ?? ctx.deps.settings.defaultLanguage
  const say = (key: JobString) => {
    const text = jobType.strings[key]?.[language] || jobType.strings[key]?.en
    if (!text) return ''
    const settings = { language, timeZone: business.timeZone, output: 'text' as const }
    return tryTemplate(text, templateVariables.job, values, settings).text.trim()
  }
  return {
    guid: jobType.guid,
    name: jobType.name,
    lines: jobType.lines.flatMap(({ productGuid, quantity }) => {
      const product = known.get(productGuid)
      return product?.status === 'active' ? [{ quantity, product: { ...product, unit: product.unit as 'each' } }] : []
    }),
    missing: products.filter(({ status }) => status !== 'active').map(({ name }) => name),
    depositRule: jobType.depositRule,
    // One line, however the text was written.
    title: (say('title').replaceAll(/\s+/g, ' ') || jobType.name).slice(0, 200),
    intro: say('description').slice(0, 4000),
  }
}

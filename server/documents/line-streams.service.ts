import { isText } from '../../contract/core/money.ts'
import { type FieldError, refuseFields } from '../../contract/core/errors.ts'
import type { LineInput } from '../../contract/lines.ts'
import type { Ctx } from '../core/ctx.ts'
import { readableGuids } from '../row-scope/row-scope.service.ts'
import { type CataloguedInput, type EnteredLine, uncatalogued } from './lines.service.ts'

/** The stream that was chosen; where none was, the one a line of the same product had, and else the product's. */
export function inStream(
  line: CataloguedInput,
  sent: LineInput | undefined,
  was: EnteredLine | undefined,
): CataloguedInput {
  if (!sent || isText(line)) return line
  const isSame = was !== undefined && was.productGuid === (sent.productGuid ?? null)
  const chosen = sent.revenueStreamGuid === undefined && isSame ? was.revenueStreamGuid : sent.revenueStreamGuid
  if (chosen === undefined) return line
  return { ...line, catalogued: { ...(line.catalogued ?? uncatalogued), revenueStreamGuid: chosen } }
}

/** Streams on lines are in use and of the catalogue the business works with; those a document has may stay. */
export async function checkStreams(
  ctx: Ctx,
  businessGuid: string,
  lines: readonly LineInput[],
  before: ReadonlySet<string | null>,
): Promise<void> {
  const isNew = (guid: string | null | undefined): guid is string => Boolean(guid) && !before.has(guid ?? null)
  const asked = [...new Set(lines.map((line) => line.revenueStreamGuid).filter(isNew))]
  if (asked.length === 0) return
  const found = await ctx.db
    .selectFrom('revenueStreams')
    .select('guid')
    .where('guid', 'in', asked)
    .where('businessGuid', '=', (b) =>
      b.selectFrom('businesses').select('catalogueOf').where('businesses.guid', '=', businessGuid),
    )
    .where('archivedAt', 'is', null)
    .execute()
  const known = await readableGuids(ctx, 'RevenueStreams', found)
  const fields = lines.flatMap(({ revenueStreamGuid: guid }, i): FieldError[] =>
    isNew(guid) && !known.has(guid)
      ? [{ path: `lines.${i}.revenueStreamGuid`, message: 'Choose a revenue stream.' }]
      : [],
  )
  refuseFields(fields)
}

import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { invalid, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { Composed, messageWritesApi, ThreadItem } from '../../contract/message-writes.ts'
import type { Ctx } from '../core/ctx.ts'
import type { FrozenFacts } from '../core/db/schema-money.ts'
import { inFamily } from '../core/family.ts'
import { textOfBody } from '../core/html/text.ts'
import { newGuid } from '../core/guid.ts'
import { userName, userOf } from '../core/records.ts'
import { chosenTheme } from '../themes/dressing.service.ts'
import { composeWords } from './compose.ts'
import { withLogos } from './logos.ts'
import { isStranger, isVisibleOwner, type MessageRow, visibleMessages } from './messages.queries.ts'
import { readableBodies } from './messages.body.ts'
import { senderOf } from './sender.ts'
import { activeTemplate, templateByGuid } from './templates.service.ts'
import { saidNow } from './unsent.ts'
import { shownOffer } from './unsubscribing.ts'
import { type About, aboutOf, aboutRecord, customerRead, offeredAddresses, withFieldsOf } from './writing-about.ts'
import { filesAbout } from './writing-parts.ts'
import { cleanSource, type Draft, fillDraft, asUsed, fits, isOffer, problemsOf, toWriteOn } from './writing-words.ts'

type Api = typeof messageWritesApi
type Kind = 'customer' | 'quote' | 'order' | 'invoice'

/** So many of the newest are shown of a conversation. */
const atOnce = 50
const maxText = 4000
/** What is named of those that are known already; beyond it some are told twice. */
const maxKnown = 120
/** What was written so shortly before an answer may not have been seen by it. */
const graceMs = 30_000

/** From when on somebody asks again of a conversation, and what he has of the time since. */
const seenSchema = z.object({
  at: z.iso.datetime({ offset: true }),
  have: z.array(z.tuple([z.guid(), z.string()])).max(maxKnown),
})
type Seen = z.output<typeof seenSchema>

function seenIn(since: string): Seen {
  try {
    return seenSchema.parse(JSON.parse(Buffer.from(since, 'base64url').toString('utf8')))
  } catch {
    throw invalid('since', 'Load the conversation again.')
  }
}
const writeSeen = (seen: Seen) => Buffer.from(JSON.stringify(seen)).toString('base64url')

type Worded = Pick<MessageRow, 'direction' | 'bodyText' | 'facts' | 'source'>

const ofRecord = (kind: Kind, guid: string): RawBuilder<boolean> =>
  kind === 'customer'
    ? inFamily('m', guid)
    : kind === 'invoice'
      ? sql<boolean>`(m.owner_type = 'invoice' and m.owner_guid = ${guid}::uuid or m.guid = any(array(
          select x.message_guid from message_invoices x where x.invoice_guid = ${guid}::uuid)))`
      : sql<boolean>`m.owner_type = ${kind} and m.owner_guid = ${guid}::uuid`

const threadOf = (ctx: Ctx, kind: Kind, guid: string) =>
  visibleMessages(ctx)
    .leftJoin('users as u', 'u.guid', 'm.createdBy')
    .select([
      'm.guid',
      'm.businessGuid',
      'm.version',
      'm.direction',
      'm.status',
      'm.ownerGuid',
      'm.ownerNumber',
      'm.customerGuid',
    ])
    .select(['m.sender as from', 'm.recipients as to', 'm.subject', 'm.bodyText', 'm.bodyHtml', 'm.facts', 'm.source'])
    .select(isStranger.as('isUnknownSender'))
    .select(['m.scheduledAt', 'm.sentAt', 'm.failureReason', 'm.createdAt', 'm.updatedAt'])
    .select([
      sql<ThreadItem['ownerType']>`m.owner_type`.as('ownerType'),
      sql<number>`jsonb_array_length(m.attachments)
        + (select count(*) from message_files f where f.message_guid = m.guid)::int`.as('attachments'),
      sql<string | null>`(select v.at from message_views v where v.message_guid = m.guid)`.as('openedAt'),
      userName<string | null>('u').as('createdBy'),
      sql<boolean>`m.created_by is not distinct from ${userOf(ctx)}::uuid`.as('isOwn'),
    ])
    .where(ofRecord(kind, guid))
    .where('m.isTest', '=', false)

/** The button of a mail, as its text has it. */
const pressed = /\n\n[^\n]+:\nhttps?:\/\/\S+$/

/** What somebody says in a message: without its dress, and without what stands at its foot. */
function textOf({ direction, bodyText, facts, source }: Worded): string | null {
  if (bodyText !== null) {
    const foot = direction === 'out' ? bodyText.lastIndexOf('\n-- \n') : -1
    const said = (foot < 0 ? bodyText : bodyText.slice(0, foot)).trim()
    return (direction === 'out' ? said.replace(pressed, '') : said).slice(0, maxText)
  }
  const html = facts?.words?.bodyHtml ?? source?.bodyHtml
  return html === undefined ? null : textOfBody(html).slice(0, maxText)
}

/**
 * From where the next question goes on: half a minute back, with what is known of that. An answer that is full is one
 * of many that bring up what was missed: the next begins at its last row, or it would never come past it.
 */
function seenWith(ctx: Ctx, rows: readonly { guid: string; updatedAt: string }[], before: Seen | null): Seen {
  const last = rows.length === atOnce && before ? rows.at(-1) : undefined
  const at = last?.updatedAt ?? new Date(ctx.now.getTime() - graceMs).toISOString()
  const told = rows.map(({ guid, updatedAt }): [string, string] => [guid, updatedAt])
  const known = [...(before?.have ?? []), ...told].filter(([, updatedAt]) => new Date(updatedAt) >= new Date(at))
  return { at, have: known.slice(-maxKnown) }
}

/** Those a conversation has in the very state that is known of them. */
const isKnown = ({ have }: Seen): RawBuilder<boolean> =>
  sql<boolean>`(m.guid, m.updated_at) in (select * from unnest(${have.map(([guid]) => guid)}::uuid[],
    ${have.map(([, updatedAt]) => updatedAt)}::timestamptz[]))`

async function readThread(ctx: Ctx, kind: Kind, guid: string, since: Seen | null) {
  const all = threadOf(ctx, kind, guid)
  const rows = since
    ? await all
        .where('m.updatedAt', '>=', since.at)
        .where((eb) => eb.not(isKnown(since)))
        .orderBy('m.updatedAt')
        .limit(atOnce)
        .execute()
    : await all.orderBy('m.createdAt', 'desc').orderBy('m.guid', 'desc').limit(atOnce).execute()
  const readable = await readableBodies(ctx, rows)
  const unsent = rows.filter((row) => row.bodyText === null && !row.facts && readable.has(row.guid))
  const now = new Map<string, FrozenFacts | null>()
  for (const row of unsent) now.set(row.guid, await saidNow(ctx, row))
  const items = rows
    .map((one): ThreadItem => {
      const { bodyText, bodyHtml: _, facts, source, customerGuid: __, businessGuid: ___, ...row } = one
      const isBodyHidden = !readable.has(row.guid)
      const worded = { direction: row.direction, bodyText, facts: facts ?? now.get(row.guid) ?? null, source }
      return { ...row, text: isBodyHidden ? null : textOf(worded), isBodyHidden }
    })
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.guid.localeCompare(b.guid))
  return { items, since: writeSeen(seenWith(ctx, rows, since)) }
}

async function mustRead(ctx: Ctx, kind: Kind, guid: string): Promise<void> {
  if (kind === 'customer') await customerRead(ctx, guid)
  else if (!(await isVisibleOwner(ctx, kind, guid))) throw notFound()
}

export async function loadNew(ctx: Ctx, kind: Kind, { guid, since, templateGuid, language }: Input<Api['loadNew']>) {
  const seen = since === undefined ? null : seenIn(since)
  if (seen && !templateGuid && !language) {
    await mustRead(ctx, kind, guid)
    return { composed: null, ...(await readThread(ctx, kind, guid, seen)) }
  }
  const about = await aboutRecord(ctx, kind, guid)
  const composed = await composedFor(ctx, about, templateGuid, language)
  return { composed, ...(await readThread(ctx, kind, about.ownerGuid, seen)) }
}

/** A message for a record that nobody has written yet: of the template that was chosen, or the one for its occasion. */
async function composedFor(
  ctx: Ctx,
  about: About,
  templateGuid: string | undefined,
  wanted: Composed['language'] | undefined,
): Promise<Composed> {
  const { db } = ctx
  const { facts } = about
  const { businessGuid } = facts
  const language = wanted ?? facts.language
  const texts = templateGuid
    ? await templateByGuid(db, businessGuid, templateGuid, language)
    : {
        ...(await activeTemplate(db, businessGuid, about.kind, language)),
        kind: about.kind,
        category: 'transactional' as const,
      }
  if (!texts || !fits(texts.kind, about)) throw notFound()
  const { templateVersionGuid: versionGuid, subject, category } = texts
  const bodyHtml = toWriteOn(texts.bodyHtml)
  const draft: Draft = {
    template: asUsed(texts, texts),
    source: { templateVersionGuid: versionGuid, language, subject, bodyHtml },
  }
  const [templates, themes, offered, files] = [
    await offeredTemplates(ctx, about),
    await offeredThemes(ctx, businessGuid),
    await offeredAddresses(ctx, about, category),
    await filesAbout(ctx, about),
  ]
  const chosen = templates.find((one) => (templateGuid ? one.guid === templateGuid : one.versionGuid === versionGuid))
  const shown = await shownDraft(ctx, draft, about, {
    themeGuid: themes.find(({ isDefault }) => isDefault)?.guid,
    isOffer: category === 'commercial',
  })
  return {
    to: facts.recipients,
    cc: [],
    offered,
    from: senderOf(ctx.deps.settings, facts.business).from,
    language,
    templateGuid: chosen?.guid ?? null,
    themeGuid: themes.find(({ isDefault }) => isDefault)?.guid ?? null,
    category,
    // Without a template of the business its words stand as they are: there is nothing that would fill them later.
    subject: versionGuid ? subject : shown.subject,
    bodyHtml: versionGuid ? bodyHtml : shown.bodyHtml,
    shownSubject: shown.subject,
    html: shown.html,
    text: shown.text,
    templates: templates.map(({ guid, name, kind: of }) => ({ guid, name, kind: of })),
    themes,
    attachments: [
      ...facts.attachments.flatMap((document) =>
        document.kind === 'statement' || facts.ownerNumber === null
          ? []
          : [
              {
                ...{ kind: 'document' as const, ownerType: document.kind, ownerGuid: document.guid, fileGuid: null },
                ...{ name: document.name, bytes: null, isChosen: true },
              },
            ],
      ),
      ...files.map((file) => ({
        ...{ kind: 'file' as const, ownerType: null, ownerGuid: null, fileGuid: file.guid },
        ...{ name: file.name, bytes: file.bytes, isChosen: false },
      })),
    ],
    problems: shown.problems,
  }
}

async function offeredTemplates(ctx: Ctx, about: About) {
  const rows = await ctx.db
    .selectFrom('templates')
    .select(['guid', 'name', 'kind', 'activeVersionGuid as versionGuid'])
    .where('businessGuid', '=', about.facts.businessGuid)
    .where('status', '=', 'active')
    .where('activeVersionGuid', 'is not', null)
    .orderBy('name')
    .limit(200)
    .execute()
  return rows.filter(({ kind }) => fits(kind, about))
}

async function offeredThemes(ctx: Ctx, businessGuid: string) {
  const rows = await ctx.db
    .selectFrom('themes')
    .select(['guid', 'name', 'isDefault'])
    .where('businessGuid', '=', businessGuid)
    .where('activeGuid', 'is not', null)
    .orderBy('isDefault', 'desc')
    .orderBy('name')
    .limit(100)
    .execute()
  return rows
}

/** As its reader is going to see it; where its variables cannot be filled in, as it was written, with what is wrong. */
async function shownDraft(
  ctx: Ctx,
  draft: Draft,
  bare: About,
  { themeGuid, isOffer }: { themeGuid: string | null | undefined; isOffer: boolean },
) {
  const about = await withFieldsOf(ctx, bare, draft.template?.kind)
  const { language } = draft.source
  const problems = problemsOf(draft).map((problem) => ({ language, ...problem }))
  const words = (() => {
    try {
      return fillDraft(draft, about)
    } catch {
      return fillDraft({ source: draft.source, template: null }, about)
    }
  })()
  const { facts: frozen, subject } = words
  const themeVersion = await chosenTheme(ctx.db, about.facts.businessGuid, themeGuid)
  const composed = await composeWords(ctx, {
    guid: newGuid(),
    businessGuid: about.facts.businessGuid,
    template: draft.template?.kind ?? null,
    subject,
    facts: frozen,
    themeVersion,
  })
  const { bodyHtml, bodyText } = isOffer ? shownOffer(composed, language) : composed
  const html = await withLogos(ctx.deps.files, bodyHtml, themeVersion)
  return { subject, bodyHtml: frozen.words?.bodyHtml ?? '', html, text: bodyText, problems }
}

/** A message that is being written, looked at by whoever writes it. */
export async function previewed(ctx: Ctx, input: Input<Api['preview']>) {
  const { templateGuid, themeGuid, language: wanted, subject = '', bodyHtml = '', category, ...named } = input
  const about = await aboutOf(ctx, named)
  const { businessGuid } = about.facts
  const language = wanted ?? about.facts.language
  const texts = templateGuid ? await templateByGuid(ctx.db, businessGuid, templateGuid, language) : null
  if (templateGuid && (!texts || !fits(texts.kind, about)))
    throw invalid('templateGuid', 'We can’t find that template.')
  const template = texts && asUsed(texts, texts)
  const source = {
    ...{ templateVersionGuid: template?.versionGuid ?? null, language, subject },
    bodyHtml: cleanSource(bodyHtml, template !== null),
  }
  const { bodyHtml: _, ...shown } = await shownDraft(ctx, { source, template }, about, {
    themeGuid,
    isOffer: isOffer(template, category),
  })
  return shown
}

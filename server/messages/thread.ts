import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { invalid, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { Composed, messageWritesApi, ThreadItem } from '../../contract/message-writes.ts'
import type { Ctx } from '../core/ctx.ts'
import type { FrozenFacts } from '../core/db/schema-money.ts'
import { inFamily } from '../core/family.ts'
import { newGuid } from '../core/guid.ts'
import { userName, userOf } from '../core/records.ts'
import { defaultTheme, themeVersionOf } from '../themes/dressing.service.ts'
import { composeWords } from './compose.ts'
import { withLogos } from './logos.ts'
import { isVisibleOwner, type MessageRow, visibleMessages } from './messages.queries.ts'
import { readableBodies } from './messages.body.ts'
import { senderOf } from './sender.ts'
import { activeTemplate, templateByGuid } from './templates.service.ts'
import { saidNow } from './unsent.ts'
import { type About, aboutOf, aboutRecord, customerRead, offeredAddresses, withFieldsOf } from './writing-about.ts'
import { filesAbout } from './writing-parts.ts'
import { cleanSource, type Draft, fillDraft, fits, problemsOf, type UsedTemplate } from './writing-words.ts'

type Api = typeof messageWritesApi
type Kind = 'customer' | 'quote' | 'order' | 'invoice'

/** So many of the newest are shown of a conversation. */
const atOnce = 50
const maxText = 4000
/** What was written so shortly before an answer may not have been seen by it. */
const graceMs = 30_000

/** Until when somebody has seen a conversation, and what he has of its last half minute. */
const seenSchema = z.object({ at: z.iso.datetime(), have: z.array(z.tuple([z.guid(), z.string()])).max(60) })
type Seen = z.output<typeof seenSchema>

function seenIn(since: string): Seen {
  try {
    return seenSchema.parse(JSON.parse(Buffer.from(since, 'base64url').toString('utf8')))
  } catch {
    throw invalid('since', 'Load the conversation again.')
  }
}
const writeSeen = (seen: Seen) => Buffer.from(JSON.stringify(seen)).toString('base64url')

type Row = Pick<
  MessageRow,
  | 'guid'
  | 'version'
  | 'direction'
  | 'status'
  | 'ownerNumber'
  | 'subject'
  | 'bodyText'
  | 'facts'
  | 'source'
  | 'isUnknownSender'
  | 'createdBy'
>

const ofRecord = (kind: Kind, guid: string): RawBuilder<boolean> =>
  kind === 'customer' ? inFamily('m', guid) : sql<boolean>`m.owner_type = ${kind} and m.owner_guid = ${guid}::uuid`

const threadOf = (ctx: Ctx, kind: Kind, guid: string) =>
  visibleMessages(ctx)
    .leftJoin('users as u', 'u.guid', 'm.createdBy')
    .select(['m.guid', 'm.version', 'm.direction', 'm.status', 'm.ownerGuid', 'm.ownerNumber', 'm.customerGuid'])
    .select(['m.sender as from', 'm.recipients as to', 'm.subject', 'm.bodyText', 'm.bodyHtml', 'm.facts', 'm.source'])
    .select(['m.isUnknownSender', 'm.scheduledAt', 'm.sentAt', 'm.failureReason', 'm.createdAt', 'm.updatedAt'])
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

const plain = (html: string) =>
  html
    .replace(/<br ?\/?>|<\/(p|li|h2|h3|tr|blockquote)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** The button of a mail, as its text has it. */
const pressed = /\n\n[^\n]+:\nhttps?:\/\/\S+$/

/** What somebody says in a message: without its dress, and without what stands at its foot. */
function textOf({ direction, bodyText, facts, source }: Row): string | null {
  if (bodyText !== null) {
    const foot = direction === 'out' ? bodyText.lastIndexOf('\n-- \n') : -1
    const said = (foot < 0 ? bodyText : bodyText.slice(0, foot)).trim()
    return (direction === 'out' ? said.replace(pressed, '') : said).slice(0, maxText)
  }
  const html = facts?.words?.bodyHtml ?? source?.bodyHtml
  return html === undefined ? null : plain(html).slice(0, maxText)
}

async function readThread(ctx: Ctx, kind: Kind, guid: string, since: Seen | null) {
  const all = threadOf(ctx, kind, guid)
  const from = since ? new Date(new Date(since.at).getTime() - graceMs) : null
  const rows = from
    ? await all.where('m.updatedAt', '>', from.toISOString()).orderBy('m.updatedAt').limit(atOnce).execute()
    : await all.orderBy('m.createdAt', 'desc').orderBy('m.guid', 'desc').limit(atOnce).execute()
  const have = new Map(since?.have)
  const fresh = rows.filter((row) => have.get(row.guid) !== row.updatedAt)
  const readable = await readableBodies(ctx, fresh)
  const unsent = fresh.filter((row) => row.bodyText === null && !row.facts && readable.has(row.guid))
  const now = new Map<string, FrozenFacts | null>()
  for (const row of unsent) now.set(row.guid, await saidNow(ctx, row))
  const items = fresh
    .map((one): ThreadItem => {
      const { bodyText, bodyHtml: _, facts, source, customerGuid: __, ...row } = one
      const isBodyHidden = !readable.has(row.guid)
      const text = isBodyHidden
        ? null
        : textOf({ ...row, bodyText, facts: facts ?? now.get(row.guid) ?? null, source } as unknown as Row)
      return { ...row, text, isBodyHidden }
    })
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.guid.localeCompare(b.guid))
  // An answer that is full goes on from its last row; what came within the grace is named, and not told again.
  const at = rows.length === atOnce && from ? (rows.at(-1)?.updatedAt ?? '') : ctx.now.toISOString()
  const limit = new Date(new Date(at).getTime() - graceMs).toISOString()
  const recent = rows.filter(({ updatedAt }) => new Date(updatedAt).toISOString() > limit)
  const seen = writeSeen({ at: new Date(at).toISOString(), have: recent.map((row) => [row.guid, row.updatedAt]) })
  return { items, since: seen }
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
  const { templateVersionGuid: versionGuid, subject, preheader, bodyHtml, button, kind, category } = texts
  const template: UsedTemplate | null = versionGuid
    ? { versionGuid, kind, category, preheader, button: button || null }
    : null
  const draft: Draft = {
    template: template ?? { versionGuid: null, kind, category, preheader, button: button || null },
    source: { templateVersionGuid: versionGuid, language, subject, bodyHtml },
  }
  const [templates, themes, offered, files] = [
    await offeredTemplates(ctx, about),
    await offeredThemes(ctx, businessGuid),
    await offeredAddresses(ctx, about, category),
    await filesAbout(db, about),
  ]
  const chosen = templates.find((one) => (templateGuid ? one.guid === templateGuid : one.versionGuid === versionGuid))
  const shown = await shownDraft(ctx, draft, about, themes.find(({ isDefault }) => isDefault)?.guid)
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
    subject: template ? subject : shown.subject,
    bodyHtml: template ? bodyHtml : shown.bodyHtml,
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

async function themeVersionFor(ctx: Ctx, guid: string | null | undefined, businessGuid: string) {
  if (!guid) return defaultTheme(ctx.db, businessGuid)
  const theme = await ctx.db
    .selectFrom('themes')
    .select('activeGuid')
    .where('guid', '=', guid)
    .where('businessGuid', '=', businessGuid)
    .executeTakeFirst()
  return themeVersionOf(ctx.db, theme?.activeGuid)
}

/** As its reader is going to see it; where its variables cannot be filled in, as it was written, with what is wrong. */
async function shownDraft(ctx: Ctx, draft: Draft, bare: About, themeGuid: string | null | undefined) {
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
  const themeVersion = await themeVersionFor(ctx, themeGuid, about.facts.businessGuid)
  const composed = await composeWords(ctx, {
    guid: newGuid(),
    businessGuid: about.facts.businessGuid,
    template: draft.template?.kind ?? null,
    subject,
    facts: frozen,
    themeVersion,
  })
  const html = await withLogos(ctx.deps.files, composed.bodyHtml, themeVersion)
  return { subject, bodyHtml: frozen.words?.bodyHtml ?? '', html, text: composed.bodyText, problems }
}

/** A message that is being written, looked at by whoever writes it. */
export async function previewed(ctx: Ctx, input: Input<Api['preview']>) {
  const { templateGuid, themeGuid, language: wanted, subject = '', bodyHtml = '', ...named } = input
  const about = await aboutOf(ctx, named)
  const { businessGuid } = about.facts
  const language = wanted ?? about.facts.language
  const texts = templateGuid ? await templateByGuid(ctx.db, businessGuid, templateGuid, language) : null
  if (templateGuid && (!texts || !fits(texts.kind, about)))
    throw invalid('templateGuid', 'We can’t find that template.')
  const template: UsedTemplate | null = texts && {
    ...{ versionGuid: texts.templateVersionGuid, kind: texts.kind, category: texts.category },
    ...{ preheader: texts.preheader, button: texts.button || null },
  }
  const source = {
    ...{ templateVersionGuid: template?.versionGuid ?? null, language, subject },
    bodyHtml: cleanSource(bodyHtml, template !== null),
  }
  const { bodyHtml: _, ...shown } = await shownDraft(ctx, { source, template }, about, themeGuid)
  return shown
}

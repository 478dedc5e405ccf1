import { formatAbn } from '../../contract/core/abn.ts'
import type { Language } from '../../contract/core/languages.ts'
import { type Dress, footOf } from '../../contract/dress.ts'
import type { TemplateKind } from '../../contract/messages.ts'
import type { Ctx } from '../core/ctx.ts'
import type { FrozenFacts } from '../core/db/schema-money.ts'
import { newGuid } from '../core/guid.ts'
import { htmlOfText } from '../core/html/body.ts'
import { textOfBody } from '../core/html/text.ts'
import { addressLines } from '../core/i18n/format.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { unseal } from '../core/secrets.ts'
import { dressOf, logosOf, lookOf, type ThemeVersionRow } from '../themes/dressing.service.ts'
import { noValues } from '../documents/document-messages.service.ts'
import { logoIds } from './logos.ts'
import type { MessageRow } from './messages.queries.ts'
import { activeTemplate, fillTemplateVersion, valuesWith } from './templates.service.ts'

export interface LayoutData {
  language: Language
  subject: string
  /** The first words a mail program shows beside the subject. */
  preview: string
  business: string
  /** What it says, safe already. */
  bodyHtml: string
  button: { label: string; link: string; hint: string } | null
  /** Lines at the foot: who sends this, and why. */
  footer: string[]
  dress: Dress
  /** Where its pictures are, where the theme has any. */
  logo: { light: string; dark: string | null } | null
  /** What the theme says at the foot, safe already. */
  foot: string
}

/** What a message is dressed in, which is the same whatever it says. */
type Suit = Pick<LayoutData, 'dress' | 'logo'>
type Said = Omit<LayoutData, keyof Suit | 'foot'>

export interface Words {
  bodyHtml: string
  bodyText: string
}

type Unworded = Pick<MessageRow, 'guid' | 'businessGuid' | 'template' | 'subject'> & {
  facts: FrozenFacts
  /** The version of a theme it is dressed in; without one it has the colour of its facts. */
  themeVersion: ThemeVersionRow | null
}

/**
 * Makes words of what is frozen. The layout is filled in by the render worker, so this is for jobs and for readers:
 * never within a transaction. Throws when the template is broken.
 */
export async function composeWords(ctx: Pick<Ctx, 'db' | 'deps'>, message: Unworded): Promise<Words> {
  const said = message.businessGuid
    ? await documentLayout(ctx, message, message.businessGuid)
    : accountLayout(ctx, message)
  return wordsOf(ctx, said, message.themeVersion, message.facts.business.primaryColour)
}

/** What is said, dressed in a version of a theme. Its logo comes with the mail. */
async function wordsOf(
  { deps }: Pick<Ctx, 'deps'>,
  said: Said,
  version: ThemeVersionRow | null,
  primaryColour: string,
): Promise<Words> {
  const layout: LayoutData = {
    ...said,
    ...suitOf(version, primaryColour),
    foot: footOf(lookOf(version, primaryColour).footerHtml, said.language),
  }
  const html = await deps.renderer.render({ key: newGuid(), template: 'mail', data: { ...layout } })
  return { bodyHtml: new TextDecoder().decode(html), bodyText: textOf(layout) }
}

function suitOf(version: ThemeVersionRow | null, primaryColour: string): Suit {
  const { light, dark } = logosOf(version)
  const logo = light && { light: `cid:${logoIds.light}`, dark: dark && `cid:${logoIds.dark}` }
  return { dress: dressOf(version, primaryColour), logo }
}

async function documentLayout(
  ctx: Pick<Ctx, 'db'>,
  { guid, template: kind, subject, facts }: Unworded,
  businessGuid: string,
): Promise<Said> {
  const { business, link } = facts
  const { said, language } = await saidBy(ctx, kind as TemplateKind, facts, businessGuid)
  const t = phrases('messages', language)
  const contact = [business.phone, business.email, business.website].filter(Boolean).join(' · ')
  const abn = business.abn ? t('layout.abn', { abn: formatAbn(business.abn) }) : ''
  return {
    language,
    subject,
    preview: said.preheader || previewOf(said.bodyHtml),
    business: business.name,
    bodyHtml: link ? said.bodyHtml.replaceAll(`href="${link}"`, `href="${openedBy(link, guid)}"`) : said.bodyHtml,
    button: said.button && link ? { label: said.button, link: openedBy(link, guid), hint: t('layout.linkHint') } : null,
    footer: [
      [supplierOf(business, t), abn].filter(Boolean).join(' · '),
      addressLines(business.address ?? null).join(', '),
      contact,
      t(kind === 'request_received' ? 'layout.whyRequest' : 'layout.why', { business: business.name }),
    ].filter(Boolean),
  }
}

/** The link that says by which message somebody came: the page tells it, no picture and no detour does. */
const openedBy = (link: string, guid: string) => `${link}?m=${guid}`

/** What somebody wrote is filled in already; what a template says is filled in now. */
async function saidBy(
  ctx: Pick<Ctx, 'db'>,
  kind: TemplateKind,
  facts: FrozenFacts,
  businessGuid: string,
): Promise<{ said: NonNullable<FrozenFacts['words']>; language: Language }> {
  if (facts.words) return { said: facts.words, language: facts.language }
  const template = await activeTemplate(ctx.db, businessGuid, kind, facts.language)
  const { language } = template
  // What was frozen before a value had a name has nothing to say there.
  const values = valuesWith({ ...noValues(), ...facts.values, link: facts.link ?? '' }, facts.fields ?? {})
  return { said: fillTemplateVersion(template, kind, values, { language, timeZone: 'UTC' }), language }
}

/** After the greeting comes what it is about. */
function previewOf(bodyHtml: string): string {
  const [greeting = '', about] = textOfBody(bodyHtml).split('\n\n')
  return (about ?? greeting).replaceAll('\n', ' ').slice(0, 140)
}

/** Who it is by law: of a brand its name and whose business name that is. */
const supplierOf = ({ name, legalName, isBrand }: FrozenFacts['business'], t: ReturnType<typeof phrases>) =>
  isBrand && legalName ? t('layout.businessName', { brand: name, name: legalName }) : legalName

function accountLayout(ctx: Pick<Ctx, 'deps'>, { guid, template: kind, subject, facts }: Unworded): Said {
  const { business, language, values } = facts
  const t = phrases('people', language)
  const bodyHtml = htmlOfText(t(`email.${kind}.body`, values))
  const link = facts.link ? unseal(ctx.deps.keys, facts.link, guid) : null
  return {
    language,
    subject,
    preview: previewOf(bodyHtml) || subject,
    business: business.name,
    bodyHtml,
    button: link ? { label: t(`email.${kind}.button`), link, hint: t('hint') } : null,
    footer: [t('footer.sender', values), t('footer.why')],
  }
}

/** The same for people who read without HTML. */
function textOf({ bodyHtml, button, footer, foot }: LayoutData): string {
  const action = button ? [`${button.label}:\n${button.link}`] : []
  return [textOfBody(bodyHtml), ...action, `-- \n${[...(foot ? [textOfBody(foot)] : []), ...footer].join('\n')}`]
    .join('\n\n')
    .concat('\n')
}

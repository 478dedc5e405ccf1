import { z } from 'zod'
import { archivingOps } from './core/archiving.ts'
import {
  anyOf,
  archivedFilter,
  guid,
  listQuery,
  noControls,
  ofBusiness,
  oneLine,
  pageOf,
  recordShape,
  size,
  text,
  timestamp,
  version,
  whose,
} from './core/common.ts'
import { type Language, languages } from './core/languages.ts'
import { exportOf, get, patch, post } from './core/op.ts'
import { textProblem } from './core/text-problem.ts'
import { ofVersion, shownVersions, versionShape } from './core/versions.ts'
import { timeline } from './customers.ts'
import { messageCategories, messagePurposes, templateKinds } from './messages.ts'
import { nouns } from './nouns.ts'

const { pages, statuses } = nouns.EmailTemplates
const subject = 'Messages:Templates'
const mayUpdate = ['update', `${subject}:Update:Guid`] as const

export type TemplateStatus = (typeof statuses)[number]

/** What a template says in one language. */
export const templateParts = ['subject', 'preheader', 'bodyHtml', 'button'] as const
export type TemplatePart = (typeof templateParts)[number]
export type TemplateTexts = Record<TemplatePart, string>
export type TemplateLanguages = { en: TemplateTexts; fr?: TemplateTexts; ar?: TemplateTexts }

const maxBodyHtml = 100_000
/** A template of a line: a subject is no longer when its variables are filled in. */
const line = (max: number) => z.string().trim().max(max, `Use ${max} characters or fewer.`).regex(oneLine, noControls)
const required = 'This field is required.'
const texts = z.strictObject({
  subject: line(200).min(1, required),
  /** The first words beside the subject; blank: those of the body. */
  preheader: line(200),
  bodyHtml: z
    .string()
    .max(maxBodyHtml, `Use ${maxBodyHtml} characters or fewer.`)
    .refine((html) => html.trim() !== '', required),
  /** Words on the button that leads to the customer's page; blank: none. */
  button: line(60),
})
const languagesShape = { en: texts, fr: texts.optional(), ar: texts.optional() }
const shownTexts = z.object({ subject: z.string(), preheader: z.string(), bodyHtml: z.string(), button: z.string() })
const shownLanguages = z.object({ en: shownTexts, fr: shownTexts.optional(), ar: shownTexts.optional() })

/** What is wrong with a template, where, and for which record. */
const templateProblem = textProblem.extend({
  part: z.enum(templateParts),
  record: z.object({ guid, label: z.string() }).nullable(),
})
export type TemplateProblem = z.infer<typeof templateProblem>
export const maxTemplateProblems = 20
/** A variable that leaves a gap between other words, because records have no value for it. */
const templateBlank = z.object({
  variable: z.string(),
  records: z.int(),
  example: z.object({ guid, label: z.string() }),
  /** More of the records. Proofs of before named one. */
  others: z
    .array(z.object({ guid, label: z.string() }))
    .max(2)
    .optional(),
})
export type TemplateBlank = z.infer<typeof templateBlank>
const proof = z.object({
  state: z.enum(['running', 'passed', 'failed']),
  done: z.int(),
  total: z.int(),
  /** Records it fails for. */
  failed: z.int(),
  problems: z.array(templateProblem).max(maxTemplateProblems),
  /** Worth knowing, and no reason to refuse. Proofs of before did not look. */
  blanks: z.array(templateBlank).max(maxTemplateProblems).optional(),
  /** When it began: what changed since is not part of it. */
  at: timestamp,
})
export type TemplateProof = z.infer<typeof proof>
const templateVersion = z.object({
  ...versionShape,
  languages: shownLanguages,
  isFactsOnly: z.boolean(),
  /** When it was first in use. */
  activatedAt: timestamp.nullable(),
  proof: proof.nullable(),
})
export type TemplateVersion = z.infer<typeof templateVersion>

const shared = {
  ...recordShape,
  businessGuid: guid,
  kind: z.enum(templateKinds),
  name: z.string(),
  category: z.enum(messageCategories),
  purpose: z.enum(messagePurposes),
  status: z.enum(statuses),
  isDefault: z.boolean(),
}
const template = z.object({
  ...shared,
  active: templateVersion.nullable(),
  latest: templateVersion,
  versions: z.array(templateVersion).max(shownVersions),
})
export type EmailTemplate = z.infer<typeof template>
const item = z.object({
  ...shared,
  ...whose,
  /** Of the version in use, else of the latest. */
  languages: z.array(z.enum(languages)),
  /** The number of the version in use. */
  activeNumber: z.int().nullable(),
  /** When its latest version was written. */
  changedAt: timestamp,
})
export type EmailTemplateItem = z.infer<typeof item>
const one = z.object({ template })
const shown = {
  /** None: a made-up one. */
  recordGuid: guid.nullish(),
  language: z.enum(languages),
  /** What is being written; without it, the latest version. */
  draft: z
    .strictObject({ subject: line(200), preheader: line(200), bodyHtml: z.string().max(maxBodyHtml), button: line(60) })
    .optional(),
  versionGuid: guid.optional(),
}
const preview = z.object({
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  problems: z.array(templateProblem),
})
export type TemplatePreview = z.infer<typeof preview>

const list = get({
  path: '/Messages/Templates',
  effect: 'read',
  can: pages.list.can,
  summary: 'Templates of emails',
  query: listQuery(['name', 'kind', 'updatedAt'], {
    ...ofBusiness,
    kind: anyOf(templateKinds).optional(),
    status: anyOf(['draft', 'active']).optional(),
    archived: archivedFilter,
  }),
  response: pageOf(item),
})
const records = get({
  path: '/Messages/Templates/Records/:guid',
  effect: 'read',
  can: pages.view.can,
  summary: 'Records that a template may be filled from, the newest first',
  query: z.strictObject({ search: text(100).optional(), size: size.optional() }),
  response: z.object({ items: z.array(z.object({ guid, label: z.string(), hint: z.string().nullable() })) }),
})

export const emailTemplatesApi = {
  list,
  export: exportOf(list, {
    name: 'Name',
    kind: 'Kind',
    languages: 'Languages',
    status: 'Status',
    isDefault: 'Default',
    changedAt: 'Changed',
  }),
  get: get({
    path: '/Messages/Templates/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One template with its versions and what was found out about them',
    response: one,
  }),
  timeline: get({
    path: '/Messages/Templates/Timeline/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'What happened with a template',
    response: timeline,
  }),
  records,
  create: post({
    path: '/Messages/Templates',
    effect: 'write',
    can: ['create', `${subject}:Create`],
    status: 201,
    message: 'Template created.',
    summary: 'Makes a template with its first version, which is not used until it is activated',
    body: z.strictObject({
      kind: z.enum(templateKinds),
      name: text(120),
      category: z.enum(messageCategories).default('transactional'),
      /** Left out: as the product begins with. */
      languages: z.strictObject(languagesShape).optional(),
      isFactsOnly: z.boolean().optional(),
    }),
    response: one,
  }),
  update: patch({
    path: '/Messages/Templates/:guid',
    effect: 'write',
    can: mayUpdate,
    message: 'Template saved.',
    summary: 'Changes what a template is called and what for; languages that are sent are a new version',
    body: z.strictObject({
      version,
      name: text(120).optional(),
      category: z.enum(messageCategories).optional(),
      /** Uses it on its occasion, instead of the template that is used until now. */
      isDefault: z.literal(true).optional(),
      /** All of them: one that is not there is no part of the new version. */
      languages: z.strictObject(languagesShape).optional(),
      /** It reads like an offer and is none. */
      isFactsOnly: z.boolean().optional(),
    }),
    response: one,
  }),
  preview: post({
    path: '/Messages/Templates/Preview/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'An email as it would go out for a record, with what is wrong with it',
    body: z.strictObject(shown),
    response: preview,
  }),
  prove: post({
    path: '/Messages/Templates/Prove/:guid',
    effect: 'write',
    can: mayUpdate,
    message: 'Check started.',
    unaudited: 'it changes nothing that anybody is sent; activating does, and is written',
    summary: 'Renders a version for all records of its kind that there are; the template says how far it is',
    body: z.strictObject({ versionGuid: guid }),
    response: z.object({ proof }),
  }),
  activate: post({
    path: '/Messages/Templates/Activate/:guid',
    effect: 'external',
    can: mayUpdate,
    message: 'Version activated.',
    summary: 'Uses a version from now on, which was checked against all records',
    body: ofVersion,
    response: one,
  }),
  rollback: post({
    path: '/Messages/Templates/Rollback/:guid',
    effect: 'write',
    can: mayUpdate,
    message: 'Earlier version activated.',
    summary: 'Goes back to a version that was in use before',
    body: ofVersion,
    response: one,
  }),
  test: post({
    path: '/Messages/Templates/Test/:guid',
    effect: 'external',
    can: mayUpdate,
    message: 'Test sent to you.',
    summary: 'Sends an email as it would go out to whoever asks; it counts nowhere',
    body: z.strictObject(shown),
    response: z.object({ messageGuid: guid, to: z.string() }),
  }),
  ...archivingOps('Messages/Templates', 'a template', one, subject),
}

/** Languages as they stand in a version. */
export const writtenLanguages = (said: object): Language[] => languages.filter((one) => one in said)

import { z } from 'zod'
import { guid, timestamp } from './core/common.ts'
import { languages } from './core/languages.ts'

export const templateCategories = ['transactional', 'commercial'] as const
export type TemplateCategory = (typeof templateCategories)[number]
export const templateStatuses = ['draft', 'active', 'archived'] as const
export type TemplateStatus = (typeof templateStatuses)[number]

/** What a template says in one language. */
export const templateParts = ['subject', 'preheader', 'bodyHtml', 'button'] as const
export type TemplatePart = (typeof templateParts)[number]
export type TemplateTexts = Record<TemplatePart, string>
export type TemplateLanguages = { en: TemplateTexts; fr?: TemplateTexts; ar?: TemplateTexts }

/** What is wrong with a template, where, and for which record. */
export const templateProblem = z.object({
  language: z.enum(languages),
  part: z.enum(templateParts),
  /** Beginning with 1. */
  line: z.int(),
  message: z.string(),
  record: z.object({ guid, label: z.string() }).nullable(),
})
export type TemplateProblem = z.infer<typeof templateProblem>
export const templateProof = z.object({
  state: z.enum(['running', 'passed', 'failed']),
  done: z.int(),
  total: z.int(),
  problems: z.array(templateProblem),
  at: timestamp,
})
export type TemplateProof = z.infer<typeof templateProof>

import type { z } from 'zod'
import { archiveInput, bulkResult } from './common.ts'
import { del, post } from './op.ts'

/**
 * Archiving and bringing back, one record or many: what every noun has that can be put away. `noun` is `Quotes`, `one`
 * is `a quote`, and `response` is what the answer shows of it. `subject` where its rights are called otherwise.
 */
export function archivingOps<const N extends string, R extends z.ZodType>(
  noun: N,
  one: string,
  response: R,
  subject: string = noun,
) {
  const [article = '', ...words] = one.split(' ')
  const name = words.join(' ')
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  const can = ['delete', `${subject}:Archive:Guid`] as const
  return {
    remove: del({
      path: `/${noun}/:guid` as `/${N}/:guid`,
      effect: 'write',
      can,
      message: `${title} archived.`,
      summary: `Archives ${one}`,
      response,
    }),
    restore: post({
      path: `/${noun}/Restore/:guid` as `/${N}/Restore/:guid`,
      effect: 'write',
      can,
      message: `${title} restored.`,
      summary: `Brings ${article}${article === 'a' ? 'n' : ''} archived ${name} back`,
      response,
    }),
    bulk: post({
      path: `/${noun}/Bulk` as `/${N}/Bulk`,
      effect: 'write',
      can,
      message: 'Done.',
      summary: `Archives or restores many ${noun.split('/').at(-1)?.toLowerCase() ?? ''}`,
      body: archiveInput,
      response: bulkResult,
    }),
  }
}

import { z } from 'zod'
import { languages } from './languages.ts'

/** A mistake in a text with variables: in which language, where, and what it is. */
export const textProblem = z.object({
  language: z.enum(languages),
  /** Beginning with 1; of the body of an email its paragraphs, cells and items that say something. */
  line: z.int(),
  /** The words it is about, as they are written there. */
  at: z.string().optional(),
  message: z.string(),
})

import { longText } from './core/common.ts'

/**
 * A part payment is billed with its GST and credited on later invoices. A security deposit is held: no GST until it is
 * applied or forfeited (GST Act s 99-5, s 99-10; GSTR 2006/2).
 */
export const depositNatures = ['part_payment', 'security'] as const
export type DepositNature = (typeof depositNatures)[number]

/** When a security deposit is kept: the customer reads it on the document. */
export const forfeitureClause = longText(2000)

/** Beyond this share of the order the size of a security deposit is doubted (GSTR 2006/2); in basis points. */
export const securityDoubtedBp = 1000

import type { Comparison } from '../../contract/negotiation.ts'

export type ComparedLine = Comparison['lines'][number]

/** Texts that are read from above to below, and not beside each other. */
export const isLongField = (field: string): boolean => ['intro', 'terms', 'description', 'schedule'].includes(field)

/** Kinds are the business's own word for a line. */
export const shownFields = ({ fields }: Pick<ComparedLine, 'fields'>): ComparedLine['fields'] =>
  fields.filter(({ field }) => field !== 'kind')

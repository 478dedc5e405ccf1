/**
 * `npm run prove` runs every journey in every variant; `npm test` those whose titles do not end in `@prove`, and of
 * variants those that differ most.
 */
export const isFull = process.env['FULL'] === '1'

/** All of them in the long proof; otherwise those that stand for the others. */
export const variants = <T>(all: readonly T[], quick: readonly NoInfer<T>[]): readonly T[] => (isFull ? all : quick)

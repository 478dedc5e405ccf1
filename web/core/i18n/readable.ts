/**
 * A promise that says when it is fulfilled: `use` reads it at once then, where it would else draw nothing for a moment.
 */
export function readable(promise: Promise<void>): Promise<void> {
  const told: Promise<void> & { status?: 'fulfilled' } = promise.then(() => {
    told.status = 'fulfilled'
  })
  return told
}

/** Leads everybody to the first page of his. */
const home = '/'
const nowhere = 'https://here.invalid'

/**
 * A path of this site as the browser will read it, never a URL; null for everything else. Browsers drop tabs and line
 * breaks from addresses, take a backslash for a slash, and resolve dots: what is left must still begin with one slash.
 */
function pathOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2000 || !value.startsWith('/')) return null
  // oxlint-disable-next-line no-control-regex -- these are what is refused
  if (/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff\\]/.test(value) || !URL.canParse(value, nowhere)) return null
  const url = new URL(value, nowhere)
  if (url.origin !== nowhere || url.username || url.pathname.startsWith('//')) return null
  if (/^\/(login|forgot-password|auth-lobby|auth-waiting)(\/|$)/i.test(url.pathname)) return null
  return url.pathname + url.search + url.hash
}

export const isSafeTarget = (value: unknown): value is string => pathOf(value) !== null

export const safeTarget = (value: unknown): string => pathOf(value) ?? home

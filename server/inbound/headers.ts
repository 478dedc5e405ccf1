/** One line of a header, its name in small letters. */
export interface HeaderLine {
  key: string
  value: string
}

/** Bounds what is looked through for identifiers: a thread has no thousand mails. */
const maxIds = 100

const id = /<[^<>\s]{3,250}>/g

/** All there is of a header; a mail may have it more than once. */
const valuesOf = (headers: readonly HeaderLine[], key: string): string[] =>
  headers.filter((header) => header.key === key).map(({ value }) => value)

const idsIn = (values: readonly string[]): string[] => values.flatMap((value) => value.match(id) ?? [])

/** Message-IDs that a mail answers, the nearest first. */
export const answeredIds = (headers: readonly HeaderLine[]): string[] =>
  [
    ...new Set([
      ...idsIn(valuesOf(headers, 'in-reply-to')),
      ...idsIn(valuesOf(headers, 'references')).toReversed().slice(0, maxIds),
    ]),
  ].slice(0, maxIds)

/** The Message-ID among the headers of a mail that a report gives back. */
export function givenBackId(headerText: string): string | null {
  const unfolded = headerText.replace(/\r?\n[ \t]+/g, ' ')
  const [, value = ''] = /^message-id:([^\r\n]*)/im.exec(unfolded) ?? []
  return value.match(id)?.[0] ?? null
}

/** Where mail servers write whom they delivered a mail to. */
const arrivals = ['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-forwarded-to']
const token = /\+([a-z2-7]{26})@/gi

/** Tokens of ours behind the plus of an address that a mail came to. */
export const plusTokens = (headers: readonly HeaderLine[]): string[] =>
  [
    ...new Set(
      arrivals
        .flatMap((key) => valuesOf(headers, key))
        .flatMap((value) => [...value.matchAll(token)].map(([, found = '']) => found.toLowerCase())),
    ),
  ].slice(0, maxIds)

/**
 * Whether a program wrote a mail: it says so itself (RFC 3834), comes from a list or in bulk, has no sender that could
 * be answered, or is what older programs call an answer of their own.
 */
export function isAutomatic(headers: readonly HeaderLine[]): boolean {
  const first = (key: string) => valuesOf(headers, key)[0]?.trim().toLowerCase()
  const submitted = first('auto-submitted')
  if (submitted && !/^no\b/.test(submitted)) return true
  if (/^(bulk|junk|list|auto_reply)\b/.test(first('precedence') ?? '')) return true
  if (first('return-path') === '<>') return true
  return ['list-id', 'x-autoreply', 'x-autorespond', 'x-auto-reply-from', 'x-failed-recipients'].some(
    (key) => first(key) !== undefined,
  )
}

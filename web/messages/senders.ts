/** As mail names somebody: `Anna Hartmann <anna@hartmann.example>`, or the address alone. */
const named = /^(.*?)<?([^\s<>]+@[^\s<>]+)>?\s*$/s

/** None for what was written on a customer's page, which says who wrote. */
export const addressIn = (from: string): string | undefined => named.exec(from)?.[2]

/** The name of a sender, without the quotation marks around it; empty where only an address is known. */
export const nameIn = (from: string): string =>
  (named.exec(from)?.[1] ?? from)
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .trim()

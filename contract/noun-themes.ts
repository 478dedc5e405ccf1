import { type Noun, owned, writtenAt } from './noun.ts'

/** How emails, papers and the customers' pages look. */
export const themeRows = {
  Themes: {
    one: 'theme',
    icon: 'palette',
    table: 'themes',
    rightsOf: 'Messages:Themes',
    pages: writtenAt('Messages:Themes', '/setup/email-themes'),
    statuses: ['draft', 'active', 'archived'],
    scope: { ...owned, status: 'status' },
    shownOn: ['Messages', 'Businesses', 'Service'],
  },
} as const satisfies Readonly<Record<string, Noun>>

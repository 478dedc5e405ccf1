import { lookedAt, type Noun, owned, writtenAt } from './noun.ts'

/** How emails, papers and the customers' pages look, and what emails say. */
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
  EmailTemplates: {
    one: 'email_template',
    icon: 'mail',
    table: 'templates',
    rightsOf: 'Messages:Templates',
    pages: lookedAt('Messages:Templates', '/setup/email-templates'),
    statuses: ['draft', 'active', 'archived'],
    scope: { ...owned, status: 'status' },
    shownOn: ['Messages'],
    searchText: ['name', 'kind'],
  },
} as const satisfies Readonly<Record<string, Noun>>

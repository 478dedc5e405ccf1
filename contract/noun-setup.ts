import { lookedAt, type Noun, owned } from './noun.ts'

/** What a business sets up for its work and its mail. */
export const setupRows = {
  /** Where the mail of a business leaves, and where replies are read. */
  EmailAccounts: {
    one: 'email_account',
    table: 'email_accounts',
    pages: {
      list: { path: '/setup/email-accounts/list', can: ['read', 'EmailAccounts:Preview:All'] },
      /** A dialog of the list. */
      add: { path: '/setup/email-accounts/list', can: ['create', 'EmailAccounts:Create'] },
    },
    scope: owned,
    shownOn: ['Messages'],
    isNotified: true,
  },
  /** What happened and actions may wait for; kept back with the records it happened to. */
  Events: {
    one: 'event',
    table: 'events',
    pages: lookedAt('Events', '/setup/events'),
    scope: { business: 'businessGuid', owner: 'byGuid' },
    isForGood: true,
  },
  /** What is done by itself when something happens. */
  Actions: {
    one: 'action',
    table: 'actions',
    rightsOf: 'Events:Actions',
    pages: {
      list: { path: '/setup/events/actions/list', can: ['read', 'Events:Actions:Preview:All'] },
      view: { path: '/setup/events/actions/edit/$guid', can: ['read', 'Events:Actions:Preview:Guid'] },
      add: { path: '/setup/events/actions/add', can: ['create', 'Events:Actions:Create'] },
      register: { path: '/setup/events/actions/register', can: ['read', 'Events:Actions:Register'] },
    },
    statuses: ['draft', 'active', 'paused'],
    scope: { business: 'businessGuid', owner: 'ownerGuid', status: 'status' },
  },
  /** Public holidays that a business keeps otherwise than its state. */
  Holidays: {
    one: 'holiday',
    table: 'holiday_changes',
    pages: { list: { path: '/setup/rules/list', can: ['read', 'Holidays:Preview:All'] } },
    scope: owned,
    isForGood: true,
  },
  /** What is kept back from automatic reminders. */
  Reminders: {
    one: 'reminder_hold',
    table: 'reminder_holds',
    pages: { list: { path: '/setup/reminders/list', can: ['read', 'Reminders:Preview:All'] } },
    scope: owned,
    isForCustomer: true,
    isForGood: true,
  },
  /** Addresses of other programs that actions send events to. */
  Webhooks: {
    one: 'webhook',
    table: 'webhooks',
    icon: 'link',
    rightsOf: 'Events:Webhooks',
    hasOneRight: true,
    pages: {
      list: { path: '/setup/events/webhooks/list', can: ['read', 'Events:Webhooks'] },
      /** A dialog of the list. */
      add: { path: '/setup/events/webhooks/list', can: ['create', 'Events:Webhooks'] },
    },
    scope: owned,
    isNotified: true,
  },
} as const satisfies Readonly<Record<string, Noun>>

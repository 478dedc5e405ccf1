import { type Noun, owned } from './noun.ts'

/** What people ask for on the public page of a form, and the forms. */
export const requestRows = {
  RequestForms: {
    one: 'request_form',
    icon: 'requestForm',
    table: 'request_forms',
    rightsOf: 'Quotes:RequestForms',
    pages: {
      list: { path: '/setup/request-forms/list', can: ['read', 'Quotes:RequestForms:Preview:All'] },
      view: { path: '/setup/request-forms/preview/$guid', can: ['read', 'Quotes:RequestForms:Preview:Guid'] },
      /** A dialog of the list. */
      add: { path: '/setup/request-forms/list', can: ['create', 'Quotes:RequestForms:Create'] },
    },
    scope: owned,
    shownOn: ['Requests', 'Service'],
  },
  Requests: {
    one: 'request',
    icon: 'request',
    table: 'requests',
    rightsOf: 'Quotes:Requests',
    pages: {
      list: { path: '/apps/quotes/requests/list', can: ['read', 'Quotes:Requests:Preview:All'] },
      view: { path: '/apps/quotes/requests/preview/$guid', can: ['read', 'Quotes:Requests:Preview:Guid'] },
    },
    scope: { business: 'businessGuid', owner: 'ownerGuid' },
    shownOn: ['Quotes', 'Customers'],
    makes: ['Customers', 'Quotes', 'Messages'],
    isForCustomer: true,
    isActivity: true,
    searchText: ['name', 'email', 'phone', 'reference'],
  },
} as const satisfies Readonly<Record<string, Noun>>

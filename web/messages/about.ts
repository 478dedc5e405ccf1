import { messageWritesApi, type MessageSubject } from '../../contract/message-writes.ts'
import type { Message } from '../../contract/messages.ts'

/** What a message is about: a customer as a whole, or one of their documents. */
export interface About {
  by: MessageSubject
  guid: string
}

const { loadNew, loadNewOfQuote, loadNewOfOrder, loadNewOfInvoice } = messageWritesApi
const { write, writeOnQuote, writeOnOrder, writeOnInvoice } = messageWritesApi

/** How a message about it is composed and written, and whose files may go with it. */
export const wayOf = {
  customerGuid: { load: loadNew, write, noun: 'Customers' },
  quoteGuid: { load: loadNewOfQuote, write: writeOnQuote, noun: 'Quotes' },
  orderGuid: { load: loadNewOfOrder, write: writeOnOrder, noun: 'Orders' },
  invoiceGuid: { load: loadNewOfInvoice, write: writeOnInvoice, noun: 'Invoices' },
} as const satisfies Record<MessageSubject, object>

const subjects: Readonly<Record<string, MessageSubject>> = {
  customer: 'customerGuid',
  quote: 'quoteGuid',
  order: 'orderGuid',
  invoice: 'invoiceGuid',
}

/** What a message is about, or else whom it is for; null where it is about neither. */
export function aboutOf({ ownerType, ownerGuid, customerGuid }: Message): About | null {
  const by = ownerType ? subjects[ownerType] : undefined
  if (by && ownerGuid) return { by, guid: ownerGuid }
  return customerGuid ? { by: 'customerGuid', guid: customerGuid } : null
}

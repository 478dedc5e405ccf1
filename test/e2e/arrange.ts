import type { Page } from '@playwright/test'
import { api, type Role, storedAs, unique } from './support.ts'

export interface Document {
  guid: string
  version: number
  number: string
  issueOn: string
  serviceGuid: string
  title: string
  totals: { totalCents: number }
}

const line = { name: 'Fence panels', quantity: '2', unitPriceCents: 12_500 }

export const aCustomer = async (name = unique('Customer'), role: Role = 'office'): Promise<string> =>
  (
    await api<{ customer: { guid: string } }>(role, 'POST', '/Customers', {
      displayName: name,
      email: 'someone@customers.example',
    })
  ).customer.guid

/** A draft of $275, unless lines are given. */
export const aDraftQuote = async (facts: Record<string, unknown> = {}): Promise<Document> =>
  (
    await api<{ quote: Document }>('office', 'POST', '/Quotes', {
      customerGuid: await aCustomer(),
      title: unique('Pool fence'),
      lines: [line],
      ...facts,
    })
  ).quote

export const aSentQuote = async (facts: Record<string, unknown> = {}): Promise<Document> => {
  const { guid, version } = await aDraftQuote(facts)
  return (await api<{ quote: Document }>('office', 'POST', `/Quotes/Send/${guid}`, { version })).quote
}

/** An invoice of $275 that is owing. */
export const anIssuedInvoice = async (facts: Record<string, unknown> = {}): Promise<Document> => {
  const { guid, version } = (
    await api<{ invoice: Document }>('office', 'POST', '/Invoices', {
      customerGuid: await aCustomer(),
      title: unique('Hire'),
      lines: [line],
      ...facts,
    })
  ).invoice
  return (await api<{ invoice: Document }>('office', 'POST', `/Invoices/Issue/${guid}`, { version })).invoice
}

export const firstOf = async (path: string): Promise<string> =>
  (await api<{ items: { guid: string }[] }>('admin', 'GET', path)).items[0]?.guid ?? ''

/** The window works there from its first page on; what is chosen is not remembered for other journeys' windows. */
export async function workingIn(page: Page, guid: string | undefined, { isEverywhere = false } = {}) {
  const stored = [storedAs('business', guid), ...(isEverywhere ? [storedAs('everywhere', true)] : [])]
  await page.addInitScript((values) => {
    if (sessionStorage.getItem('begun')) return
    sessionStorage.setItem('begun', 'yes')
    for (const { name, value } of values) sessionStorage.setItem(name, value)
  }, stored)
  await page.route('**/Businesses/Choose/*', (route) =>
    route.fulfill({ json: { message: 'OK', serviceData: { business: { guid: '', name: '' } } } }),
  )
}

import type { CustomerImport, ImportPreview } from '../../contract/imports.ts'
import { openCtx, systemRun } from '../../server/core/run.ts'
import { runImport } from '../../server/imports/run-import.service.ts'
import { ok } from './factories.ts'
import type { Caller, Running } from './start.ts'

/** Rows as a file of Xero has them. */
export function csvOf(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return [headers, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')
}

const xeroHeaders = [
  '*ContactName',
  'AccountNumber',
  'EmailAddress',
  'FirstName',
  'LastName',
  'POAddressLine1',
  'POCity',
  'PORegion',
  'POPostalCode',
  'SAAddressLine1',
  'SACity',
  'SARegion',
  'SAPostalCode',
  'PhoneNumber',
  'TaxNumber',
  'DueDateSalesDay',
  'DueDateSalesTerm',
] as const
type XeroHeader = (typeof xeroHeaders)[number]

export const xeroFile = (rows: readonly Partial<Record<XeroHeader, string>>[]) =>
  csvOf(
    xeroHeaders,
    rows.map((row) => xeroHeaders.map((header) => row[header] ?? '')),
  )

/** As many different customers, whole from name to terms. */
export const manyRows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    '*ContactName': `Finch ${i} & Sons Pty Ltd`,
    AccountNumber: `F-${i}`,
    EmailAddress: `office@finch${i}.example`,
    FirstName: 'Ada',
    LastName: `Finch ${i}`,
    POAddressLine1: `${i + 1} Wharf St`,
    POCity: 'Balmain',
    PORegion: 'NSW',
    POPostalCode: '2041',
    SAAddressLine1: `${i + 1} Yard Rd`,
    SACity: 'Kew',
    SARegion: 'VIC',
    SAPostalCode: '3101',
    PhoneNumber: '02 5550 1234',
    DueDateSalesDay: '14',
    DueDateSalesTerm: 'Days After',
  }))

export const fileOf = (text: string | Buffer, fileName = 'contacts.csv') => ({
  fileName,
  base64: Buffer.from(text).toString('base64'),
})

export const previewOf = async (app: Running, who: Caller, text: string | Buffer, more: object = {}) =>
  ok(await app.call<ImportPreview>(who, 'POST', '/Customers/Imports/Preview', { ...fileOf(text), ...more }))

/** Begins an import, without the work that is queued. */
export const beginImport = (app: Running, who: Caller, text: string | Buffer, more: object = {}) =>
  app.call<{ import: CustomerImport }>(who, 'POST', '/Customers/Imports', { ...fileOf(text), ...more })

/** Does what is queued. */
export const workOff = (app: Running, guid: string) => runImport(openCtx(systemRun(app.deps, 'test')), guid)

export const importOf = async (app: Running, who: Caller, guid: string) =>
  ok(await app.call<{ import: CustomerImport }>(who, 'GET', `/Customers/Imports/${guid}`)).import

/** Takes a file in, to the end. */
export async function importFile(app: Running, who: Caller, text: string | Buffer, more: object = {}) {
  const { guid } = ok(await beginImport(app, who, text, more), 201).import
  await workOff(app, guid)
  return importOf(app, who, guid)
}

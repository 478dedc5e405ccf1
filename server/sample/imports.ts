import { importsApi } from '../../contract/imports.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { imports as service } from '../imports/imports.service.ts'
import { runImport } from '../imports/run-import.service.ts'
import { play, type Stage } from './actors.ts'

/** Rows of a file, its heading first; what a row does not say at its end stays empty. */
const fileOf = (sign: string, rows: readonly (readonly string[])[]) => rows.map((row) => row.join(sign)).join('\r\n')

const address = ['POAddressLine1', 'POCity', 'PORegion', 'POPostalCode']
const contacts = fileOf(',', [
  ['*ContactName', 'AccountNumber', 'EmailAddress', ...address, 'PhoneNumber', 'DueDateSalesDay', 'DueDateSalesTerm'],
  [
    ...['Rosella Early Learning', 'RO-118', 'office@rosella.example', '14 Myrtle St', 'Dulwich Hill', 'NSW', '2203'],
    ...['02 5550 3410', '14', 'Days After'],
  ],
  [
    ...['Silvereye Dental', 'SI-204', 'reception@silvereye.example', '3/88 Beamish St', 'Campsie', 'NSW', '2194'],
    ...['02 5550 3425', '7', 'Days After'],
  ],
  [
    ...['Tern Street Bakery', 'TE-031', 'hello@ternstreet.example', '21 Tern St', 'Tempe', 'NSW', '2044'],
    '02 5550 3437',
  ],
  [
    ...['Whistler Joinery Pty Ltd', 'WH-077', 'accounts@whistler.example', '9 Foundry Rd', 'Seven Hills', 'NSW'],
    ...['2147', '02 5550 3452', '30', 'Days After'],
  ],
])
const cards = fileOf('\t', [
  ['{}'],
  ['Co./Last Name', 'First Name', 'Card ID', 'Addr 1 - Line 1', ' - City', ' - State', ' - Postcode', ' - Email'],
  ['Pardalote Prints', '', '*None', '2 Lackey St', 'Summer Hill', 'NSW', '2130', 'hello@pardalote.example'],
  ['Quail', 'Oscar', '*None', '40 Wardell Rd', 'Marrickville', 'NSW', '2204', 'oscar.quail@home.example'],
])

/** Two files of customers: one stays, the other was the wrong one and was taken back. */
export async function makeImports(stage: Stage): Promise<void> {
  await take(stage, 'Xero contacts.csv', contacts)
  const { guid } = await take(stage, 'MYOB cards.txt', cards)
  await play(stage, importsApi.undo, service.undo, { guid })
}

async function take(stage: Stage, fileName: string, text: string) {
  const base64 = Buffer.from(text).toString('base64')
  const { import: made } = await play(stage, importsApi.create, service.create, { fileName, base64 })
  await runImport(openCtx({ ...systemRun({ ...stage.deps, now: () => stage.at }, 'sample'), now: stage.at }), made.guid)
  return made
}

import { post } from './core/op.ts'
import { oneInvoice } from './invoices.ts'
import { recoverInput, writeOffInput } from './write-offs.ts'

/** What moves the money of an invoice beside payments. */
export const invoiceBooksApi = {
  writeOff: post({
    path: '/Invoices/WriteOff/:guid',
    effect: 'write',
    can: ['update', 'Invoices:WriteOff:Guid'],
    message: 'Invoice written off.',
    summary: 'Gives up what is owing of an issued invoice, or a part of it: a bad debt with its share of the GST',
    body: writeOffInput,
    response: oneInvoice,
  }),
  recover: post({
    path: '/Invoices/Recover/:guid',
    effect: 'write',
    can: ['update', 'Invoices:WriteOff:Guid'],
    message: 'Write-off reversed.',
    summary: 'Makes an invoice owe again what was written off, the newest part first',
    body: recoverInput,
    response: oneInvoice,
  }),
}

import { z } from 'zod'
import { cents } from './core/common.ts'
import { get, post } from './core/op.ts'
import { creditable, creditNoteInput } from './credit-notes.ts'
import { instalmentsInput } from './instalments.ts'
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
  instalments: post({
    path: '/Invoices/Instalments/:guid',
    effect: 'write',
    can: ['update', 'Invoices:Update:Guid'],
    message: 'Payment plan saved.',
    summary: 'Divides an issued invoice into parts that are due one by one; the newest plan counts',
    body: instalmentsInput,
    response: oneInvoice,
  }),
  creditable: get({
    path: '/Invoices/Notes/:guid',
    effect: 'read',
    can: ['create', 'Invoices:Notes'],
    summary: 'What of an invoice can still be credited by a note, by kind of GST',
    response: z.object({
      parts: z.array(creditable),
      balanceCents: cents,
      /** What was paid and becomes credit where a note is of more than is owing. */
      freeCents: cents,
    }),
  }),
  credit: post({
    path: '/Invoices/Notes',
    effect: 'write',
    can: ['create', 'Invoices:Notes'],
    needsKey: true,
    status: 201,
    message: 'Adjustment note created.',
    summary:
      'Credits a part of an invoice, by kind of GST, with an adjustment note: first what is owing, then what was ' +
      'paid, the newest first, which becomes the customer’s credit. No money is given back.',
    body: creditNoteInput,
    response: oneInvoice,
  }),
}

import { z } from 'zod'
import { cents, day, guid } from './core/common.ts'
import { get } from './core/op.ts'
import { accounting } from './places.ts'

/** Programs that read what is exported: sales for two accounting programs, the journal for any other. */
export const exportFormats = ['xero', 'myob', 'journal'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Documents of one file; of the journal these are entries. Xero imports 500 invoices at once. */
export const exportPartSizes = { xero: 500, myob: 5000, journal: 20_000 } as const satisfies Record<
  ExportFormat,
  number
>
/** What a plan names of all that needs a hand. */
export const exportProblemsShown = 200

/** Control totals of a file, to hold against what the other program says it imported: of sales, or of the journal. */
const exportSums = z.union([
  z.strictObject({ net: cents, gst: cents, total: cents }),
  z.strictObject({ debit: cents, credit: cents }),
])
export type ExportSums = z.infer<typeof exportSums>

const asked = { format: z.enum(exportFormats), from: day, to: day }

/** The sales and the journal of a period as files that other accounting programs import. */
export const exportsApi = {
  plan: get({
    path: '/Accounting/Export/Plan',
    effect: 'read',
    can: accounting.exports.can,
    timeoutMs: 20_000,
    summary: 'The files of a period for an accounting program, and what to do there by hand',
    query: z.strictObject(asked),
    response: z.object({
      parts: z.array(z.object({ part: z.int(), name: z.string(), documents: z.int(), sums: exportSums })),
      problems: z.array(
        z.object({
          noun: z.enum(['Invoices', 'Customers', 'Orders']),
          guid,
          label: z.string(),
          cents,
          text: z.string(),
        }),
      ),
    }),
  }),
  file: get({
    path: '/Accounting/Export',
    effect: 'read',
    can: accounting.exports.can,
    cost: 'costly',
    timeoutMs: 60_000,
    produces: 'text/csv',
    summary: 'One file of a period for an accounting program, as its import reads it',
    query: z.strictObject({ ...asked, part: z.coerce.number().int().min(1).max(10_000).default(1) }),
    response: z.any(),
  }),
}

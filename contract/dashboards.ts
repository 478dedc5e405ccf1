import { z } from 'zod'
import { cents, day, guid, ofBusiness, timestamp } from './core/common.ts'
import { get } from './core/op.ts'
import { timelineEntry } from './customers.ts'
import { statusMetric } from './documents.ts'
import { dashboard } from './places.ts'

const countAndAmount = z.object({ count: z.int(), cents })
export const dashboardsApi = {
  ecommerce: get({
    path: '/Dashboards/Ecommerce',
    effect: 'read',
    can: dashboard.can,
    timeoutMs: 20_000,
    summary: 'How the business stands: money, quotes, work and messages',
    query: z.strictObject(ofBusiness),
    response: z.object({
      today: day,
      /** Issued and collected in the current calendar month, and in the one before, GST included. */
      money: z.object({
        issuedCents: cents,
        issuedBeforeCents: cents,
        collectedCents: cents,
        collectedBeforeCents: cents,
        outstandingCents: cents,
        overdueCents: cents,
        gstToSetAsideCents: cents,
      }),
      /** GST is a legal entity's, with all of its brands: of each whose business this is. */
      gstByEntity: z.array(z.object({ name: z.string(), cents })),
      /** Outstanding by days past due. */
      ageing: z.array(
        z.object({ bucket: z.enum(['current', 'd1_30', 'd31_60', 'd61_90', 'd90_plus']), count: z.int(), cents }),
      ),
      quotes: z.object({
        byStatus: z.array(statusMetric),
        acceptanceRateBp: z.int().nullable(),
        expiringSoon: countAndAmount,
      }),
      work: z.object({
        today: z.int(),
        thisWeek: z.int(),
        unscheduled: z.int(),
        toInvoice: countAndAmount,
        upcoming: z.array(
          z.object({
            guid,
            businessGuid: guid,
            businessName: z.string(),
            number: z.string(),
            title: z.string(),
            customerName: z.string(),
            scheduledOn: day,
            status: z.string(),
          }),
        ),
      }),
      messages: z.object({ waiting: z.int(), failed: z.int(), sentThisWeek: z.int() }),
      /** Twelve calendar months, the current one last: net sales issued and money collected. */
      months: z.array(z.object({ month: z.string(), issuedCents: cents, collectedCents: cents })),
      activity: z.array(
        timelineEntry.extend({ noun: z.string(), guid: guid.nullable(), businessName: z.string().nullable() }),
      ),
      at: timestamp,
    }),
  }),
}

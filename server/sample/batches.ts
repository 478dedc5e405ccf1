import { batchesApi } from '../../contract/batches.ts'
import { invoiceBatches } from '../invoices/batches.service.ts'
import { onStage, play, type Stage } from './actors.ts'

const total = 6
const sent = 3

/** Messages about invoices that wait for money, half of them sent: whoever began comes back and goes on. */
export async function makeBatch(stage: Stage, businessGuid: string): Promise<void> {
  const owing = await stage.deps.db
    .selectFrom('invoices')
    .select('guid')
    .where('businessGuid', '=', businessGuid)
    .where('status', '=', 'issued')
    .where('kind', '<>', 'adjustment_note')
    .where('balanceCents', '>', 0)
    .orderBy('dueOn')
    .orderBy('guid')
    .limit(total)
    .execute()
  if (owing.length <= sent) return
  const invoiceGuids = owing.map(({ guid }) => guid)
  const { batch } = await play(stage, batchesApi.begin, invoiceBatches.begin, { invoiceGuids })
  await onStage(stage, (ctx) => invoiceBatches.go(ctx, { batchGuid: batch.guid, action: 'next', count: sent }))
}

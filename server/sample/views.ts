import { viewsApi } from '../../contract/views.ts'
import { views } from '../views/views.service.ts'
import { play, type Stage } from './actors.ts'

const kept: readonly { subject: string; name: string; values: Record<string, string> }[] = [
  {
    subject: 'Quotes:Preview:All',
    name: 'Waiting for an answer, largest first',
    values: { status: 'sent,viewed,changes_requested', sort: '-totalCents' },
  },
  {
    subject: 'Orders:Preview:All',
    name: 'Work to be invoiced',
    values: { status: 'completed', invoiceStatus: 'to_invoice,partially_invoiced' },
  },
  { subject: 'Invoices:Preview:All', name: 'Overdue, oldest first', values: { status: 'overdue', sort: 'dueOn' } },
]

/** Views that the office shares with everybody. */
export async function makeViews(stage: Stage): Promise<void> {
  for (const input of kept) {
    const { view } = await play(stage, viewsApi.create, views.create, input)
    await play(stage, viewsApi.share, views.share, { guid: view.guid, version: view.version, isShared: true })
  }
}

import { nouns } from '../../contract/nouns.ts'
import { viewsApi } from '../../contract/views.ts'
import { views } from '../views/views.service.ts'
import { play, type Stage } from './actors.ts'

/** A view belongs to the list that it is of. */
const subjectOf = (noun: 'Quotes' | 'Orders' | 'Invoices') => nouns[noun].pages.list.can[1]

const kept: readonly { subject: string; name: string; values: Record<string, string> }[] = [
  {
    subject: subjectOf('Quotes'),
    name: 'Waiting for an answer, largest first',
    values: { status: 'sent,viewed,changes_requested', sort: '-totalCents' },
  },
  {
    subject: subjectOf('Orders'),
    name: 'Work to be invoiced',
    values: { status: 'completed', invoiceStatus: 'to_invoice,partially_invoiced' },
  },
  { subject: subjectOf('Invoices'), name: 'Overdue, oldest first', values: { status: 'overdue', sort: 'dueOn' } },
]

/** Views that the office shares with everybody. */
export async function makeViews(stage: Stage): Promise<void> {
  for (const input of kept) {
    const { view } = await play(stage, viewsApi.create, views.create, input)
    await play(stage, viewsApi.share, views.share, { guid: view.guid, version: view.version, isShared: true })
  }
}

import { leadsFrom } from '../../contract/core/transitions.ts'
import { invoiceRefusal, type InvoiceDeed } from '../../contract/invoice-actions.ts'
import { invoiceBooksApi } from '../../contract/invoice-books.ts'
import { depositsApi } from '../../contract/deposits.ts'
import { invoicesApi, type Invoice } from '../../contract/invoices.ts'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { remindersApi } from '../../contract/reminders.ts'
import { invoiceTransitions, isUnissued } from '../../contract/invoice-transitions.ts'
import type { T } from '../core/i18n/i18n.ts'
import type { ActionFacts } from '../record/actions.ts'
import { archivingActions } from '../record/archiving.ts'
import { isNote, isSecurity } from './invoice-kind.ts'

/** What can be done with an invoice, and why not now. */
export function invoiceActions(invoice: Invoice, t: T) {
  const refused = (deed: InvoiceDeed) => {
    const refusal = invoiceRefusal(deed, invoice)
    return { refusal: refusal && t(`invoices:why.${refusal}`) }
  }
  const leads = (deed: keyof typeof invoiceTransitions) => leadsFrom(invoiceTransitions, deed, invoice.status)
  const isDraft = invoice.status === 'draft'
  const isOpen = isUnissued(invoice.status)
  return [
    {
      key: 'send',
      op: invoicesApi.send,
      label: t(isDraft ? 'invoices:issueAndSend' : 'invoices:send'),
      icon: 'send',
      place: isDraft ? 'main' : 'more',
      isNext: isOpen,
      ...refused('send'),
    },
    {
      key: 'issue',
      op: invoicesApi.issue,
      label: t(isNote(invoice.kind) ? 'invoices:issueNote' : 'invoices:issue'),
      icon: 'invoice',
      place: 'light',
      isHidden: !isOpen,
      isNext: true,
      confirm: { title: t('invoices:issueTitle'), text: t('invoices:issueText') },
      ...refused('issue'),
    },
    {
      key: 'edit',
      op: invoicesApi.update,
      label: t('invoices:editAction'),
      icon: 'edit',
      place: 'head',
      // What it takes back was worked out; another amount is another note.
      isHidden: !leads('update') || isNote(invoice.kind),
      isNext: true,
      refusal: invoice.archivedAt ? t('invoices:why.archived') : null,
    },
    {
      key: 'pay',
      op: paymentsApi.create,
      label: t('invoices:recordPayment'),
      icon: 'cash',
      place: 'main',
      isHidden: isDraft || isNote(invoice.kind),
      isNext: !isOpen,
      ...refused('pay'),
    },
    {
      key: 'applyDeposit',
      op: depositsApi.use,
      label: t('invoices:deposits.apply'),
      icon: 'invoice',
      place: 'light',
      isHidden: isOpen || !isSecurity(invoice),
      isNext: true,
      ...refused('useDeposit'),
    },
    {
      key: 'returnDeposit',
      op: paymentsApi.refund,
      label: t('invoices:deposits.return'),
      icon: 'refund',
      isHidden: isOpen || !isSecurity(invoice),
      ...refused('useDeposit'),
    },
    {
      key: 'forfeitDeposit',
      op: depositsApi.use,
      label: t('invoices:deposits.forfeit'),
      icon: 'lock',
      isHidden: isOpen || !isSecurity(invoice),
      ...refused('useDeposit'),
    },
    {
      key: 'nature',
      op: invoicesApi.update,
      label: t('invoices:deposits.nature'),
      icon: 'option',
      isHidden: !leads('update') || invoice.kind !== 'deposit',
      refusal: invoice.archivedAt ? t('invoices:why.archived') : null,
    },
    { key: 'message', op: messageWritesApi.writeOnInvoice, label: t('compose:action'), icon: 'mail' },
    {
      key: 'refund',
      op: paymentsApi.refund,
      label: t('invoices:refund'),
      icon: 'refund',
      isHidden: isSecurity(invoice),
      ...refused('refund'),
    },
    {
      key: 'link',
      op: invoicesApi.reissueLink,
      label: t('invoices:newLink'),
      icon: 'link',
      isHidden: !invoice.serviceGuid || !leads('reissueLink'),
      confirm: { title: t('invoices:newLink'), text: t('invoices:newLinkText') },
      said: t('invoices:newLinkDone'),
    },
    {
      key: 'plan',
      op: invoiceBooksApi.instalments,
      label: t('invoices:plan.action'),
      icon: 'calendar',
      isHidden: isOpen || isNote(invoice.kind),
      ...refused('plan'),
    },
    {
      key: 'hold',
      op: remindersApi.hold,
      label: t('record:holdReminders'),
      icon: 'pause',
      isHidden: isOpen || isNote(invoice.kind) || invoice.balanceCents === 0,
    },
    {
      key: 'credit',
      op: invoiceBooksApi.credit,
      label: t(isSecurity(invoice) ? 'invoices:credit.actionHeld' : 'invoices:credit.action'),
      icon: 'note',
      isHidden: isOpen || isNote(invoice.kind),
      ...refused('adjust'),
    },
    {
      key: 'writeOff',
      op: invoiceBooksApi.writeOff,
      label: t('invoices:writeOff.action'),
      icon: 'archive',
      isHidden: isOpen || isNote(invoice.kind) || isSecurity(invoice),
      ...refused('writeOff'),
    },
    {
      key: 'recover',
      op: invoiceBooksApi.recover,
      label: t('invoices:recover.action'),
      icon: 'undo',
      isHidden: invoice.writtenOffCents === 0,
      ...refused('recover'),
    },
    {
      key: 'void',
      op: invoicesApi.void,
      label: t('invoices:void'),
      icon: 'stop',
      isDangerous: true,
      confirm: { title: t('invoices:voidTitle'), reason: t('invoices:voidReason') },
      said: t('invoices:voided', { name: invoice.number ?? '' }),
      ...refused('void'),
    },
    ...archivingActions(t, 'invoices', invoicesApi, { name: invoice.title, archivedAt: invoice.archivedAt }).map(
      (action) => (action.key === 'archive' ? { ...action, isHidden: action.isHidden || !leads('archive') } : action),
    ),
  ] as const satisfies readonly ActionFacts[]
}

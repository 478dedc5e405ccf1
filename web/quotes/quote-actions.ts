import { leadsFrom } from '../../contract/core/transitions.ts'
import {
  nextQuoteDeed,
  openAsks,
  quoteRefusal,
  sendRevisionRefusal,
  type NextQuoteDeed,
  type QuoteDeed,
} from '../../contract/quote-actions.ts'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { quoteEntriesApi } from '../../contract/quote-entries.ts'
import { quoteTemplatesApi } from '../../contract/quote-templates.ts'
import { quotesApi, quoteTransitions, type Quote } from '../../contract/quotes.ts'
import { seriesApi } from '../../contract/series.ts'
import type { T } from '../core/i18n/i18n.ts'
import type { ActionFacts } from '../record/actions.ts'
import { quoteName } from './quote-name.ts'
import { archivingActions } from '../record/archiving.ts'

/** What can be done with a quote, and why not now. */
export function quoteActions(quote: Quote, t: T) {
  const refused = (deed: QuoteDeed) => {
    const refusal = quoteRefusal(deed, quote)
    return { refusal: refusal && t(`quotes:why.${refusal}`) }
  }
  const { status } = quote
  const archived = quote.archivedAt ? t('quotes:why.archived') : null
  const called = quoteName(quote, quote.title)
  // What one came for depends on how far it is; the rest is in the menu.
  const next = nextQuoteDeed(quote)
  const at = (deed: NextQuoteDeed) =>
    ({ place: next === deed ? 'main' : 'more', isNext: next === deed }) as const satisfies Partial<ActionFacts>
  const open = openAsks(quote).length
  const why = sendRevisionRefusal(quote)
  const revision = quote.revision + 1
  return [
    {
      key: 'edit',
      op: quotesApi.update,
      label: t('quotes:editAction'),
      icon: 'edit',
      place: 'head',
      isHidden: !leadsFrom(quoteTransitions, 'update', status),
      refusal: archived,
    },
    { key: 'message', op: messageWritesApi.writeOnQuote, label: t('compose:action'), icon: 'mail' },
    { key: 'duplicate', op: quotesApi.duplicate, label: t('quotes:duplicate'), icon: 'copy' },
    {
      key: 'entry',
      op: quoteEntriesApi.add,
      label: t('templates:entry.add'),
      icon: 'create',
      isHidden: !leadsFrom(quoteTransitions, 'update', status),
      refusal: archived,
    },
    {
      key: 'reprice',
      op: quoteEntriesApi.reprice,
      label: t('templates:reprice.title'),
      icon: 'reload',
      isHidden: !leadsFrom(quoteTransitions, 'update', status),
      refusal: archived,
    },
    { key: 'template', op: quoteTemplatesApi.fromQuote, label: t('templates:saveAs'), icon: 'save' },
    { key: 'series', op: seriesApi.create, label: t('quotes:makeSeries'), icon: 'series' },
    {
      key: 'send',
      op: quotesApi.send,
      label: t('quotes:send'),
      icon: 'send',
      ...at('send'),
      isHidden: next !== 'send',
      ...refused('send'),
    },
    {
      key: 'answer',
      op: quotesApi.answer,
      label: t('quotes:asks.answer', { count: open }),
      icon: 'edit',
      ...at('answer'),
      isHidden: open === 0,
      refusal: archived,
    },
    {
      key: 'sendRevision',
      op: quotesApi.answer,
      label: t('quotes:asks.sendRevision'),
      icon: 'send',
      ...at('sendRevision'),
      isHidden: next !== 'sendRevision',
      refusal: why && t(`quotes:why.${why}`),
      confirm: { title: t('quotes:asks.sendRevision'), text: t('quotes:asks.sendRevisionText', { revision }) },
    },
    {
      key: 'accept',
      op: quotesApi.accept,
      label: t('quotes:accept'),
      icon: 'check',
      ...at('accept'),
      isHidden: status === 'draft' || status === 'accepted' || status === 'converted',
      ...refused('accept'),
    },
    {
      key: 'convert',
      op: quotesApi.convert,
      label: t('quotes:convert'),
      icon: 'order',
      ...at('convert'),
      isHidden: next !== 'convert',
      ...refused('convert'),
    },
    {
      key: 'revise',
      op: quotesApi.revise,
      label: t('quotes:revise'),
      icon: 'edit',
      ...at('revise'),
      ...refused('revise'),
    },
    { key: 'decline', op: quotesApi.decline, label: t('quotes:decline'), icon: 'close', ...refused('decline') },
    {
      key: 'link',
      op: quotesApi.reissueLink,
      label: t('quotes:newLink'),
      icon: 'link',
      isHidden: !quote.serviceGuid || !leadsFrom(quoteTransitions, 'reissueLink', status),
      refusal: archived,
      confirm: { title: t('quotes:newLink'), text: t('quotes:newLinkText') },
      said: t('quotes:newLinkDone'),
    },
    {
      key: 'cancel',
      op: quotesApi.cancel,
      label: t('quotes:cancel'),
      icon: 'stop',
      isDangerous: true,
      confirm: { title: t('quotes:cancel'), reason: t('quotes:cancelReason') },
      said: t('quotes:cancelled', { name: called }),
      ...refused('cancel'),
    },
    ...archivingActions(t, 'quotes', quotesApi, { name: called, archivedAt: quote.archivedAt }),
  ] as const satisfies readonly ActionFacts[]
}

import { ageingSum, type StatementPaper } from '../../contract/statements.ts'
import { wordsIn } from '../core/i18n/format.ts'
import type { From, MessageFacts } from './document-messages.facts.ts'
import { moneyFacts } from './document-messages.money.ts'
import { statementFileName } from './statement-paper.service.ts'

interface Sent {
  guid: string
  businessGuid: string
  customerGuid: string
  content: StatementPaper
}

/** What the email that brings a statement says. */
export async function statementFacts(
  from: From,
  { guid, businessGuid, customerGuid, content }: Sent,
): Promise<MessageFacts> {
  const base = await moneyFacts(from, businessGuid, customerGuid, null)
  const { t, money, day } = wordsIn(base.language)
  const { ageing, closingCents } = content
  const overdueCents = ageingSum({ ...ageing, currentCents: 0 })
  const period = content.from
    ? t('sentence.statementPeriod', { from: day(content.from), to: day(content.to) })
    : t('sentence.statementAsAt', { day: day(content.to) })
  const owing = [
    t('sentence.statementOwing', { amount: money(closingCents) }),
    overdueCents > 0 ? t('sentence.statementOverdue', { amount: money(overdueCents) }) : '',
  ]
  return {
    ...base,
    link: content.link,
    attachments: [{ name: statementFileName(content), kind: 'statement', guid }],
    variables: {
      ...base.variables,
      amount: money(closingCents),
      period,
      owing: closingCents > 0 ? owing.filter(Boolean).join(' ') : t('sentence.statementNothing'),
      payment:
        closingCents > 0 ? t(content.canPayByCard ? 'sentence.statementPay' : 'sentence.statementPayNoCard') : '',
    },
  }
}

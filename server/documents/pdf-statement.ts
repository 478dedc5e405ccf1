import { createElement, type ReactNode } from 'react'
import { View } from '@react-pdf/renderer'
import type { Ageing, StatementPaper, StatementRow } from '../../contract/statements.ts'
import { longDay } from '../core/i18n/format.ts'
import { amountBox, fact, gap, main, party, sender, side, titleBlock } from './pdf-head.ts'
import {
  box,
  corner,
  contentWidth,
  ink,
  label,
  money,
  type Sheet,
  sided,
  size,
  type Style,
  whole,
  words,
} from './pdf-style.ts'
import { howToPay, left, line, strong } from './pdf-totals.ts'

/** What every part of a statement is drawn from. */
export interface StatementDrawing extends Sheet {
  content: StatementPaper
}

const isActivity = ({ content }: StatementDrawing) => content.kind === 'activity'

/** The days it is about: one, or from one to another. */
export const periodOf = ({ content, t }: StatementDrawing): string =>
  content.from
    ? t('statement.period', { from: longDay(content.from, t), to: longDay(content.to, t) })
    : t('statement.asAt', { day: longDay(content.to, t) })

/** Whom it is from and for, and what is owing. */
export function statementHead(d: StatementDrawing) {
  const { content, t, accent } = d
  const { ageing } = content
  const overdueCents = ageing.d30Cents + ageing.d60Cents + ageing.d90Cents + ageing.olderCents
  const facts: [string, string][] = [
    ...(content.from ? [[t('statement.from'), longDay(content.from, t)] as [string, string]] : []),
    [t(content.from ? 'statement.to' : 'label.dated'), longDay(content.to, t)],
    ...(overdueCents > 0 ? [[t('statement.overdue'), money(overdueCents)] as [string, string]] : []),
  ]
  return box(
    { marginBottom: 20 },
    box({ flexDirection: 'row', gap }, sender(d), titleBlock(d, '')),
    box(
      { flexDirection: 'row', marginTop: 20, gap },
      box({ width: main }, label(t('label.billTo')), ...party(content.billTo, t, main)),
      box(
        { width: side },
        amountBox(accent, t('label.amountDue'), content.closingCents),
        ...facts.map(([name, value]) => fact(name, value)),
      ),
    ),
  )
}

const width = { day: 84, due: 84, amount: 78 } as const
const columnGap = 8
const right = { textAlign: 'right' } as const

const whatWidth = (d: StatementDrawing) =>
  contentWidth -
  width.day -
  width.amount * (isActivity(d) ? 3 : 2) -
  (isActivity(d) ? 0 : width.due + columnGap) -
  (isActivity(d) ? 4 : 3) * columnGap

const row = (style: Style, ...cells: ReactNode[]) =>
  whole(
    {
      flexDirection: 'row',
      gap: columnGap,
      paddingVertical: 6,
      borderBottomWidth: 0.75,
      borderBottomColor: ink.rule,
      ...style,
    },
    ...cells,
  )

/** The table of rows: its heading stands on every page it runs on to. */
export function statementTable(d: StatementDrawing): ReactNode {
  const { content, t } = d
  if (content.rows.length === 0 && content.openingCents === 0)
    return words(t('statement.nothing'), { color: ink.soft, marginBottom: 16 })
  return box({}, heading(d), isActivity(d) ? opening(d) : null, ...content.rows.map((one) => tableRow(d, one)))
}

const cell = (text: string, cellWidth: number, style: Record<string, unknown> = {}) =>
  words(text, { fontSize: size.note, width: cellWidth, ...style })

function heading(d: StatementDrawing) {
  const { t, accentInk } = d
  const name = (text: string, cellWidth: number, style = {}) =>
    words(text, { fontSize: size.small, color: ink.soft, width: cellWidth, ...style })
  return createElement(
    View,
    {
      fixed: true,
      style: sided({
        flexDirection: 'row',
        gap: columnGap,
        paddingBottom: 5,
        borderBottomWidth: 1.25,
        borderBottomColor: accentInk,
      }),
    },
    name(t('statement.day'), width.day),
    name(t('statement.what'), whatWidth(d)),
    ...(isActivity(d)
      ? [name(t('statement.debit'), width.amount, right), name(t('statement.credit'), width.amount, right)]
      : [name(t('label.due'), width.due), name(t('statement.debit'), width.amount, right)]),
    name(t('statement.balance'), width.amount, right),
  )
}

function opening(d: StatementDrawing) {
  const { content, t } = d
  return row(
    {},
    cell(longDay(content.from ?? content.to, t), width.day, { color: ink.soft }),
    cell(t('statement.opening'), whatWidth(d) + 2 * (width.amount + columnGap), { color: ink.soft }),
    cell(money(content.openingCents), width.amount, right),
  )
}

/** What a row is: an instalment by its own name. */
const nameOf = ({ t }: StatementDrawing, { what, text }: StatementRow) =>
  what === 'instalment' ? (text ?? '') : t(`statement.whats.${what}`)

function tableRow(d: StatementDrawing, one: StatementRow) {
  const { content, t } = d
  const isLate = one.dueOn !== null && one.dueOn < content.to
  const wide = whatWidth(d)
  const name = box(
    { width: wide },
    cell(one.number, wide, { fontWeight: 600 }),
    words(nameOf(d, one), { fontSize: size.small, color: ink.soft, width: wide }),
  )
  const amounts = isActivity(d)
    ? [
        cell(one.debitCents ? money(one.debitCents) : '', width.amount, right),
        cell(one.creditCents ? money(one.creditCents) : '', width.amount, right),
      ]
    : [
        cell(one.dueOn ? longDay(one.dueOn, t) : '–', width.due, isLate ? { color: ink.bad, fontWeight: 600 } : {}),
        cell(money(one.debitCents - one.creditCents), width.amount, right),
      ]
  return row(
    {},
    cell(longDay(one.on, t), width.day),
    name,
    ...amounts,
    cell(money(one.balanceCents), width.amount, right),
  )
}

/** Left how to pay, right what it comes to: never divided between pages. */
export function statementTotals(d: StatementDrawing) {
  const { content, t } = d
  const numbers = [...new Set(content.rows.map(({ number }) => number))]
  const reference = content.kind === 'open' && numbers.length === 1 ? (numbers[0] ?? '') : t('statement.reference')
  const isOwing = content.closingCents > 0
  return whole(
    { marginTop: 18 },
    ageingStrip(d, content.ageing),
    box(
      { flexDirection: 'row', gap, marginTop: 18 },
      box(
        { width: left },
        isOwing
          ? howToPay(
              { ...d, link: content.link, canPayByCard: content.canPayByCard, reference },
              content.canPayByCard ? 'statement.payOnline' : 'pay.viewText',
            )
          : words(t('statement.nothing'), { fontWeight: 600 }),
      ),
      box(
        { width: contentWidth - left - gap },
        strong(d, t(isOwing ? 'label.amountDue' : 'statement.balance'), content.closingCents),
        content.kind === 'open' && content.creditCents > 0 ? line(t('statement.credited'), content.creditCents) : null,
        content.kind === 'open' && content.creditCents > 0
          ? words(t('statement.creditHint'), { fontSize: size.small, color: ink.soft, ...right })
          : null,
      ),
    ),
  )
}

const columns = ['currentCents', 'd30Cents', 'd60Cents', 'd90Cents', 'olderCents'] as const

/** What is owing by how late it is. */
const ageingStrip = ({ t }: StatementDrawing, ageing: Ageing) =>
  box(
    {
      flexDirection: 'row',
      backgroundColor: ink.tint,
      borderRadius: corner(3),
      paddingVertical: 8,
      paddingHorizontal: 10,
    },
    ...columns.map((column, i) =>
      box(
        { flexGrow: 1, flexBasis: 0 },
        words(t(`statement.ageing.${column}`), { fontSize: size.small, color: ink.soft }),
        words(money(ageing[column]), {
          fontWeight: 600,
          marginTop: 2,
          ...(i > 0 && ageing[column] > 0 ? { color: ink.bad } : {}),
        }),
      ),
    ),
  )

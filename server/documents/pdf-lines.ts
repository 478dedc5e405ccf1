import { createElement, type ReactNode } from 'react'
import { Path, Rect, Svg, View } from '@react-pdf/renderer'
import { computeTotals, isHeading } from '../../contract/core/money.ts'
import type { DocumentLine } from './document.ts'
import {
  box,
  contentWidth,
  type Drawing,
  ink,
  money,
  percent,
  quantity,
  sided,
  size,
  type Style,
  whole,
  words,
} from './pdf-style.ts'

interface Shown extends DocumentLine {
  /** Quantity × price, in the document's price mode. */
  grossCents: number
  ownDiscountCents: number
}
type Run = { kind: 'plain' | 'options'; lines: Shown[] } | { kind: 'alternatives'; group: string; lines: Shown[] }

const width = { quantity: 74, price: 68, gst: 28, amount: 76 } as const
const gap = 8
const tickWidth = 10
const right = { textAlign: 'right' } as const
/** What the other columns leave for the description. */
const nameWidth = ({ content, hidesAmounts }: Drawing, isChoice = false) =>
  contentWidth -
  width.quantity -
  gap -
  (hidesAmounts ? 0 : width.price + width.amount + 2 * gap + (content.business.gstRegistered ? width.gst + gap : 0)) -
  (isChoice ? tickWidth + gap : 0)
/** A row taller than this may be divided between pages. */
const tallRow = 14
/** A block of options up to this long stays on one page. */
const smallBlock = 6

/** The table of lines: its heading stands on every page it runs on to. */
export function lines(d: Drawing): ReactNode {
  const shown = withAmounts(d)
  if (shown.length === 0) return words(d.t('lines.empty'), { color: ink.soft, marginBottom: 16 })
  return box({}, heading(d), ...runsOf(shown).flatMap((run) => drawRun(d, run)))
}

function withAmounts({ content, state }: Drawing): Shown[] {
  const chosen = state.chosen && new Set(state.chosen.lineGuids)
  const lines = content.lines.map((line) => ({
    ...line,
    isSelected: chosen ? chosen.has(line.guid) : line.isSelected,
    creditNetCents: line.netCents,
    creditGstCents: line.gstCents,
  }))
  const priced = computeTotals({ priceMode: content.priceMode, roundingRule: 'total_invoice', lines }).lines
  return lines.map((line, i) => ({
    ...line,
    grossCents: priced[i]?.grossBeforeDiscountCents ?? 0,
    ownDiscountCents: priced[i]?.discountCents ?? 0,
  }))
}

function kindOf(line: Shown): Run['kind'] {
  if (isHeading(line)) return 'plain'
  if (line.alternativeGroup) return 'alternatives'
  return line.isOptional ? 'options' : 'plain'
}

/** Neighbouring options, and neighbouring alternatives of one group, stand together in a block of their own. */
function runsOf(all: Shown[]): Run[] {
  const runs: Run[] = []
  for (const line of all) {
    const last = runs.at(-1)
    const kind = kindOf(line)
    if (last?.kind === kind && (last.kind !== 'alternatives' || last.group === line.alternativeGroup))
      last.lines.push(line)
    else
      runs.push(
        kind === 'alternatives' ? { kind, group: line.alternativeGroup ?? '', lines: [line] } : { kind, lines: [line] },
      )
  }
  return runs
}

function heading(d: Drawing) {
  const { content, accentInk, t } = d
  const isInclusive = content.priceMode === 'inclusive' && content.business.gstRegistered
  const style = { fontSize: size.small, fontWeight: 600, color: accentInk } as const
  return createElement(
    View,
    {
      fixed: true,
      minPresenceAhead: 60,
      style: sided({
        flexDirection: 'row' as const,
        gap,
        paddingBottom: 5,
        borderBottomWidth: 1.25,
        borderBottomColor: accentInk,
      }),
    },
    words(t('lines.item'), { ...style, width: nameWidth(d) }),
    words(t('lines.quantity'), { ...style, ...right, width: width.quantity }),
    ...(d.hidesAmounts
      ? []
      : [
          words(t(isInclusive ? 'lines.priceWithGst' : 'lines.price'), { ...style, ...right, width: width.price }),
          content.business.gstRegistered ? words(t('lines.gst'), { ...style, ...right, width: width.gst }) : null,
          words(t(isInclusive ? 'lines.amountWithGst' : 'lines.amount'), { ...style, ...right, width: width.amount }),
        ]),
  )
}

/** What is said of a block of choices, before and after the customer has chosen. */
function hintOf({ kind, lines }: Run, isDecided: boolean) {
  if (kind === 'alternatives') return isDecided ? 'lines.alternativesHintDecided' : 'lines.alternativesHint'
  if (isDecided) return 'lines.optionsHintDecided'
  return lines.some((line) => line.isSelected) ? 'lines.optionsHintChosen' : 'lines.optionsHint'
}

function drawRun(d: Drawing, run: Run): ReactNode {
  if (run.kind === 'plain') return run.lines.map((line) => (isHeading(line) ? headingRow(line) : row(d, line, false)))
  const { t } = d
  const [first, ...rest] = run.lines
  const name = run.kind === 'alternatives' ? t('lines.alternatives', { group: run.group }) : t('lines.options')
  const hint = t(hintOf(run, d.state.chosen !== null))
  return (run.lines.length <= smallBlock && !run.lines.some(isTall) ? whole : box)(
    { backgroundColor: ink.tint, borderRadius: 4, marginVertical: 6, paddingHorizontal: 10, marginHorizontal: -10 },
    // The block's heading never stands alone at the foot of a page.
    (first && isTall(first) ? box : whole)(
      {},
      words(name, { fontSize: size.note, fontWeight: 600, paddingTop: 7, width: contentWidth }),
      words(hint, { fontSize: size.small, color: ink.soft, width: contentWidth }),
      first ? row(d, first, true) : null,
    ),
    ...rest.map((line) => row(d, line, true)),
  )
}

function headingRow(line: Shown) {
  const description = line.description
    ? words(line.description, { fontSize: size.note, color: ink.soft, marginTop: 1, width: contentWidth })
    : null
  if (line.kind === 'section')
    return createElement(
      View,
      { minPresenceAhead: 60, wrap: false, style: { paddingTop: 13, paddingBottom: 4 } },
      words(line.name, { fontSize: size.lead, fontWeight: 600, width: contentWidth }),
      description,
    )
  return box(
    { paddingVertical: 5, borderBottomWidth: 0.75, borderBottomColor: ink.rule },
    words(line.name, { color: ink.soft, width: contentWidth }),
    description,
  )
}

const linesIn = (text: string | null, perLine: number) =>
  (text ?? '').split('\n').reduce((sum, part) => sum + 1 + Math.floor(part.length / perLine), 0)

const isTall = (line: Shown) => linesIn(line.name, 40) + linesIn(line.description, 55) > tallRow

function row(d: Drawing, line: Shown, isChoice: boolean) {
  const { content, t } = d
  const color = isChoice && !line.isSelected ? ink.soft : ink.text
  const name = nameWidth(d, isChoice)
  const unit = line.unit === 'each' ? '' : t(`lines.unit.${line.unit}`, { count: Number(line.quantity) })
  // A cell as tall as its row would have to be divided with it, and an amount cannot be.
  const style: Style = {
    flexDirection: 'row',
    alignItems: 'flex-start',
    gap,
    paddingVertical: 6,
    borderBottomWidth: 0.75,
    borderBottomColor: ink.rule,
  }
  const cell = { ...right, color } as const
  return (isTall(line) ? box : whole)(
    style,
    isChoice ? box({ paddingTop: 2, width: tickWidth }, tick(line.isSelected, d.accentInk)) : null,
    nameCell(line, name, color),
    words(line.kind === 'deposit_credit' ? '' : [quantity(line.quantity), unit].filter(Boolean).join(' '), {
      ...cell,
      width: width.quantity,
    }),
    ...(d.hidesAmounts
      ? []
      : [
          words(line.kind === 'deposit_credit' ? '' : money(line.unitPriceCents), { ...cell, width: width.price }),
          content.business.gstRegistered ? words(gstMark(d, line), { ...cell, width: width.gst }) : null,
          amount(d, line, color),
        ]),
  )
}

function nameCell(line: Shown, width: number, color: string) {
  const name = words(line.name, { fontWeight: 600, color, width })
  // Each box more costs time on a long invoice.
  return line.description
    ? box({ width }, name, words(line.description, { fontSize: size.note, color: ink.soft, marginTop: 1, width }))
    : name
}

const gstMark = ({ t }: Drawing, line: Shown) =>
  t(
    line.gstCode === 'GST'
      ? 'lines.gstOnLine'
      : line.gstCode === 'FREE' || line.gstCode === 'EXPORT'
        ? 'lines.gstFree'
        : 'lines.gstNone',
  )

function amount({ t }: Drawing, line: Shown, color: string) {
  const total = words(money(line.grossCents), {
    ...right,
    color,
    fontWeight: line.isSelected ? 600 : 400,
    width: width.amount,
  })
  if (line.ownDiscountCents === 0 || !line.discount) return total
  const soft = { ...right, fontSize: size.small, color: ink.soft } as const
  const name =
    line.discount.type === 'percent'
      ? t('lines.discountPercent', { percent: percent(line.discount.value) })
      : t('totals.discount')
  return box(
    { width: width.amount },
    total,
    words(name, { ...soft, marginTop: 2 }),
    words(money(-line.ownDiscountCents), soft),
  )
}

const tick = (isTicked: boolean, colour: string) =>
  createElement(
    Svg,
    { width: 9, height: 9, viewBox: '0 0 9 9' },
    createElement(Rect, {
      x: 0.5,
      y: 0.5,
      width: 8,
      height: 8,
      rx: 1.5,
      fill: isTicked ? colour : '#FFFFFF',
      stroke: isTicked ? colour : ink.faint,
      strokeWidth: 0.8,
    }),
    isTicked
      ? createElement(Path, { d: 'M2.2 4.7 L3.9 6.3 L6.9 2.9', stroke: '#FFFFFF', strokeWidth: 1.2, fill: 'none' })
      : null,
  )

import { createElement, type ReactNode } from 'react'
import { Path, Rect, Svg, View } from '@react-pdf/renderer'
import { isPart, isText, isWork } from '../../contract/core/money.ts'
import { gstCodeOf, isNumberedByName, shownAmounts } from '../../contract/shown-lines.ts'
import type { DocumentLine } from './document.ts'
import {
  box,
  corner,
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
  /** Quantity × price, in the document's price mode; null for a part of a bundle. */
  grossCents: number | null
  ownDiscountCents: number
  /** Lines that belong to it stand below it. */
  isLeading: boolean
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
const smallBlock = 3

/** The table of lines: its heading stands on every page it runs on to. */
export function lines(d: Drawing): ReactNode {
  const shown = withAmounts(d)
  if (shown.length === 0) return words(d.t('lines.empty'), { color: ink.soft, marginBottom: 16 })
  return box({}, heading(d), ...runsOf(countedFirst(shown)).flatMap((run) => drawRun(d, run)))
}

/** Who does the work needs all parts of it, and nothing of what is money alone. */
function withAmounts({ content, state, hidesAmounts }: Drawing): Shown[] {
  const chosen = state.chosen && new Set(state.chosen.lineGuids)
  const lines = content.lines.map((line) => ({
    ...line,
    isSelected: chosen ? chosen.has(line.guid) : line.isSelected,
  }))
  const amounts = shownAmounts(lines, content.priceMode, hidesAmounts)
  const shown = lines.flatMap((line, i) => {
    const amount = amounts[i]
    return amount && (!hidesAmounts || isWork(line))
      ? [{ ...line, grossCents: amount.grossCents, ownDiscountCents: amount.discountCents }]
      : []
  })
  return shown.map((line, i) => ({ ...line, isLeading: Boolean(shown[i + 1]?.parentLineGuid) }))
}

function kindOf(line: Shown): Run['kind'] {
  if (isText(line)) return 'plain'
  if (line.alternativeGroup) return 'alternatives'
  return line.isOptional ? 'options' : 'plain'
}

/**
 * Up to the next title what counts stands first, then alternatives, then options: below their block it would be read
 * as one of them. A text stands before what it stood before.
 */
function countedFirst(all: Shown[]): Shown[] {
  const order = { plain: 0, alternatives: 1, options: 2 } as const
  const parts: { line: Shown; rank: number }[][] = [[]]
  let rank = 0
  for (const line of all.toReversed()) {
    if (line.kind === 'section') rank = 0
    else if (!isText(line)) rank = order[kindOf(line)]
    parts.at(-1)?.unshift({ line, rank })
    if (line.kind === 'section') {
      parts.push([])
      rank = 0
    }
  }
  return parts.toReversed().flatMap((part) => {
    const [first, ...rest] = part
    const sorted = (lines: typeof part) => lines.toSorted((one, other) => one.rank - other.rank)
    return (first?.line.kind === 'section' ? [first, ...sorted(rest)] : sorted(part)).map(({ line }) => line)
  })
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
  if (run.kind === 'plain') return run.lines.map((line) => (isText(line) ? headingRow(line) : row(d, line, false)))
  const { t } = d
  const [first, ...rest] = run.lines
  const name = run.kind === 'alternatives' ? t('lines.alternatives', { group: run.group }) : t('lines.options')
  const hint = t(hintOf(run, d.state.chosen !== null))
  return (run.lines.length <= smallBlock && !run.lines.some(isTall) ? whole : box)(
    {
      backgroundColor: ink.tint,
      borderRadius: corner(4),
      marginVertical: 6,
      paddingHorizontal: 10,
      marginHorizontal: -10,
    },
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

const isTall = (line: Shown) => linesIn(line.name, 40) + linesIn(below(line), 55) > tallRow

/** What stands below the name of a line: what was answered to its questions, and its description. */
const below = ({ answers = [], description }: Shown): string | null =>
  [...answers.map(({ question, answer }) => `${question}: ${answer}`), ...(description ? [description] : [])].join(
    '\n',
  ) || null

function row(d: Drawing, line: Shown, isChoice: boolean) {
  const { content, t } = d
  const color = (isChoice && !line.isSelected) || line.parentLineGuid ? ink.soft : ink.text
  const name = nameWidth(d, isChoice)
  const unit = line.unit === 'each' ? '' : t(`lines.unit.${line.unit}`, { count: Number(line.quantity) })
  // A cell as tall as its row would have to be divided with it, and an amount cannot be.
  const style: Style = {
    flexDirection: 'row',
    alignItems: 'flex-start',
    gap,
    paddingTop: line.parentLineGuid ? 3 : 6,
    paddingBottom: line.isLeading ? 3 : 6,
    borderBottomWidth: line.isLeading ? 0 : 0.75,
    borderBottomColor: ink.rule,
  }
  const cell = { ...right, color } as const
  return (isTall(line) ? box : whole)(
    style,
    isChoice
      ? box({ paddingTop: 2, width: tickWidth }, line.parentLineGuid ? null : tick(line.isSelected, d.accentInk))
      : null,
    nameCell(line, name, color),
    words(hasNoNumber(line, d) ? '' : [quantity(line.quantity), unit].filter(Boolean).join(' '), {
      ...cell,
      width: width.quantity,
    }),
    ...(d.hidesAmounts
      ? []
      : [
          words(hasNoNumber(line, d) && !isPart(line) ? '' : money(priceOf(line)), { ...cell, width: width.price }),
          content.business.gstRegistered ? words(gstMark(d, line), { ...cell, width: width.gst }) : null,
          amount(d, line, color),
        ]),
  )
}

/** Whether there is no telling how many: a credit, or a line whose name has the number. Who does the work needs it. */
const hasNoNumber = (line: Shown, { hidesAmounts }: Drawing) =>
  line.kind === 'deposit_credit' || (isNumberedByName(line) && (!hidesAmounts || line.quantity === '1'))

/** What lies below a line stands further in, and is not as heavy. */
const step = 12

function nameCell(line: Shown, full: number, color: string) {
  const width = line.parentLineGuid ? full - step : full
  const inward = line.parentLineGuid ? { marginLeft: step } : {}
  const name = words(line.name, { fontWeight: line.parentLineGuid ? 400 : 600, color, width, ...inward })
  // Each box more costs time on a long invoice.
  const text = below(line)
  const soft = { fontSize: size.note, color: ink.soft, marginTop: 1, width, ...inward }
  return text ? box({ width: full }, name, words(text, soft)) : name
}

/** What one costs: of a discount what it takes off. */
const priceOf = ({ kind, unitPriceCents }: Shown) => (kind === 'discount' ? -Math.abs(unitPriceCents) : unitPriceCents)

function gstMark({ t, content }: Drawing, line: Shown) {
  // What is only held is neither with GST nor free of it.
  if (content.forfeitureClause !== undefined) return ''
  const code = gstCodeOf<DocumentLine>(line, content.lines)
  if (code === null) return t('lines.gstPart')
  return t(
    code === 'GST' ? 'lines.gstOnLine' : code === 'FREE' || code === 'EXPORT' ? 'lines.gstFree' : 'lines.gstNone',
  )
}

function amount({ t }: Drawing, line: Shown, color: string) {
  const total = words(line.grossCents === null ? '' : money(line.grossCents), {
    ...right,
    color,
    fontWeight: line.isSelected && !line.parentLineGuid ? 600 : 400,
    width: width.amount,
  })
  if (line.ownDiscountCents === 0) return total
  const soft = { ...right, fontSize: size.small, color: ink.soft } as const
  const name =
    line.discount?.type === 'percent'
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

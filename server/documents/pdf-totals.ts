import { createElement, type ReactNode } from 'react'
import { Image } from '@react-pdf/renderer'
import { link, panel, paragraphs } from './pdf-head.ts'
import {
  box,
  corner,
  contentWidth,
  type Drawing,
  ink,
  money,
  percent,
  type Sheet,
  sided,
  size,
  whole,
  words,
} from './pdf-style.ts'
import { formatBsb, longDay } from '../core/i18n/format.ts'
import { formatAbn } from '../../contract/core/abn.ts'
import { isHeading } from '../../contract/core/money.ts'

const right = { textAlign: 'right' } as const
const gap = 28
const sumsWidth = 232
export const left = contentWidth - sumsWidth - gap

/** Left what to do next, right what it comes to: never divided between pages. */
export const totals = (d: Drawing) =>
  d.hidesAmounts
    ? null
    : whole(
        { flexDirection: 'row', gap, marginTop: 18 },
        box({ width: left }, nextStep(d), claimBeside(d), marks(d)),
        box({ width: sumsWidth }, sums(d)),
      )

/** Without a word on how to pay there is room beside the sums. */
const isSettled = ({ content, state }: Drawing) =>
  content.kind === 'invoice' && state.status === 'issued' && state.balanceCents <= 0

const claimBeside = (d: Drawing) => (d.content.claim && isSettled(d) ? box({ marginBottom: 12 }, claimLines(d)) : null)

const isAdjustment = ({ content }: Drawing) => content.invoiceKind === 'adjustment_note'

function sums(d: Drawing): ReactNode {
  const { content, state, t } = d
  const shown = state.chosen?.totals ?? content.totals
  // A registered business may sell what has no GST on it.
  const hasGst = content.business.gstRegistered && shown.gstCents !== 0
  const name = isAdjustment(d)
    ? hasGst
      ? 'totals.totalAdjustment'
      : 'totals.totalCredit'
    : hasGst
      ? 'totals.totalWithGst'
      : 'totals.total'
  const plain = [
    hasGst || shown.discountCents !== 0
      ? line(t(hasGst ? 'totals.subtotalWithoutGst' : 'totals.subtotal'), shown.subtotalCents)
      : null,
    shown.discountCents !== 0 ? line(t('totals.discount'), -shown.discountCents) : null,
    hasGst ? line(t('totals.gst'), shown.gstCents) : null,
  ]
  return [
    ...plain,
    strong(d, t(name), shown.totalCents),
    ...(content.kind === 'invoice' ? [...moneySince(d), ...instalmentLines(d)] : []),
    ...(content.kind === 'quote' ? [...depositLine(d), ...stageLines(d)] : []),
    ...(isSettled(d) ? [] : claimLines(d)),
    ...under(d),
  ]
}

export const line = (name: string, cents: number) =>
  box(
    { flexDirection: 'row', justifyContent: 'space-between', paddingVertical: 2.5 },
    words(name, { color: ink.soft }),
    words(money(cents), right),
  )

export const strong = ({ accentInk }: Sheet, name: string, cents: number) =>
  box(
    {
      flexDirection: 'row',
      justifyContent: 'space-between',
      alignItems: 'center',
      gap: 8,
      paddingVertical: 7,
      marginTop: 4,
      borderTopWidth: 1.25,
      borderTopColor: accentInk,
    },
    words(name, { fontWeight: 600, width: 118 }),
    words(money(cents), { ...right, fontSize: 14, fontWeight: 600, color: accentInk, lineHeight: 1.2 }),
  )

/** Money that came and went since the issue, and what is left. */
function moneySince(d: Drawing) {
  const { content, state, t } = d
  if (state.status !== 'issued' || isAdjustment(d)) return []
  const moves = [
    state.paidCents !== 0 ? line(t('totals.paid'), -state.paidCents) : null,
    // What of a security deposit goes back is not owed again.
    state.refundedCents !== 0 && content.forfeitureClause === undefined
      ? line(t('totals.refunded'), state.refundedCents)
      : null,
    state.creditedCents !== 0 ? line(t('totals.credited'), -state.creditedCents) : null,
    state.writtenOffCents !== 0 ? line(t('totals.writtenOff'), -state.writtenOffCents) : null,
  ].filter((move) => move !== null)
  if (moves.length === 0) return []
  return [
    ...moves,
    box(
      {
        flexDirection: 'row',
        justifyContent: 'space-between',
        alignItems: 'center',
        backgroundColor: ink.tint,
        borderRadius: corner(3),
        paddingVertical: 6,
        paddingHorizontal: 10,
        marginTop: 3,
        marginHorizontal: -10,
      },
      words(t('totals.balance'), { fontWeight: 600 }),
      words(money(state.balanceCents), { ...right, fontSize: 12, fontWeight: 600, lineHeight: 1.2 }),
    ),
  ]
}

/** Where a progress invoice stands in its contract. */
function claimLines(d: Drawing) {
  const { content, t } = d
  if (!content.claim) return []
  const { contractCents, earlierCents, thisCents } = content.claim
  return [
    words(t('claim.heading'), { fontWeight: 600, marginTop: isSettled(d) ? 0 : 10 }),
    line(t('claim.contract'), contractCents),
    line(t('claim.earlier'), earlierCents),
    line(t('claim.this'), thisCents),
    line(t('claim.left'), contractCents - earlierCents - thisCents),
  ]
}

function depositLine({ content, state, t }: Drawing) {
  // The first of its stages says the same.
  if (!content.deposit || content.deposit.cents === 0 || content.stages || state.accepted) return []
  const { rule, cents } = content.deposit
  return [
    line(
      rule.type === 'percent' ? t('totals.deposit', { percent: percent(rule.value) }) : t('totals.depositFixed'),
      cents,
    ),
  ]
}

/** What is paid when, of a quote that is paid in stages. */
function stageLines({ content, t }: Drawing) {
  if (!content.stages) return []
  return [
    words(t('stages.heading'), { fontWeight: 600, marginTop: 10 }),
    ...content.stages.map(({ label, due, cents }) =>
      line(`${label} · ${due.type === 'day' ? longDay(due.on, t) : t(`stages.due.${due.type}`)}`, cents),
    ),
  ]
}

/** The parts of a plan that are not paid yet. */
function instalmentLines({ state, t }: Drawing) {
  const open = state.status === 'issued' ? state.instalments.filter(({ cents, paidCents }) => paidCents < cents) : []
  if (open.length === 0) return []
  return [
    words(t('instalments.heading'), { fontWeight: 600, marginTop: 10 }),
    ...open.map(({ label, dueOn, cents, paidCents }) => line(`${label} · ${longDay(dueOn, t)}`, cents - paidCents)),
  ]
}

function under({ content, state, t }: Drawing) {
  const note = { fontSize: size.small, color: ink.soft, marginTop: 4, ...right } as const
  const optional = state.chosen ? 0 : content.totals.optionalTotalCents
  return [
    content.business.gstRegistered ? null : words(t('totals.noGst', { business: content.business.name }), note),
    optional > 0
      ? words(
          t(content.business.gstRegistered ? 'totals.optional' : 'totals.optionalNoGst', { amount: money(optional) }),
          note,
        )
      : null,
  ]
}

/** How to pay, how to accept, or what a note changes. */
function nextStep(d: Drawing): ReactNode {
  const { content, state, t } = d
  if (state.status === 'void' || state.status === 'cancelled' || state.status === 'superseded') return null
  if (isAdjustment(d)) return adjustment(d)
  if (content.kind === 'quote') return accept(d)
  if (content.kind === 'order') return d.link ? panel(t('pay.view'), link(d.link, d.accentInk, left)) : null
  if (isSettled(d))
    return panel(
      isPaidInFull(state) && state.paidOn ? t('paidOn', { day: longDay(state.paidOn, t) }) : t('nothingLeft'),
      ...becameOfDeposit(d),
    )
  return pay(d)
}

/** How a security deposit was used, so that its paper says more than that it was paid. */
function becameOfDeposit({ content, state, t }: Drawing) {
  if (content.forfeitureClause === undefined) return []
  const heldCents = state.depositUses.reduce((left, { cents }) => left - cents, state.paidCents - state.refundedCents)
  const said = [
    ...state.depositUses.map(({ number, isKept, cents }) =>
      t(isKept ? 'held.kept' : 'held.applied', { amount: money(cents), number }),
    ),
    ...(state.refundedCents > 0 ? [t('held.returned', { amount: money(state.refundedCents) })] : []),
    ...(heldCents > 0 ? [t('held.still', { amount: money(heldCents) })] : []),
  ]
  return said.map((text) => words(text, { fontSize: size.note, marginTop: 4, width: left }))
}

/** By money alone: what was given back or credited is settled, and was not paid. */
const isPaidInFull = ({ paymentStatus, refundedCents, creditedCents }: Drawing['state']) =>
  paymentStatus === 'paid' && refundedCents === 0 && creditedCents === 0

const drawn = ({ signature }: Drawing) =>
  signature
    ? createElement(Image, {
        src: { data: Buffer.from(signature), format: 'png' as const },
        style: sided({
          maxWidth: 170,
          maxHeight: 56,
          objectFit: 'contain' as const,
          objectPosition: '0 50%',
          alignSelf: 'flex-start' as const,
        }),
      })
    : null

/** Halved, so that it is not broken just anywhere. */
const evidence = ({ state, t }: Drawing) => {
  const sha256 = state.accepted?.evidenceSha256
  const note = { fontSize: size.small, color: ink.soft } as const
  return sha256
    ? box(
        { marginTop: 4 },
        words(t('accept.evidence'), note),
        words(sha256.slice(0, 32), note),
        words(sha256.slice(32), note),
      )
    : null
}

function accept(d: Drawing) {
  const { state, t } = d
  if (state.accepted)
    return panel(
      t('accept.accepted', {
        name: state.accepted.name,
        day: longDay(d.acceptedOn ?? state.accepted.at.slice(0, 10), t),
      }),
      drawn(d),
      evidence(d),
    )
  if (!d.link || state.status === 'declined') return null
  return panel(
    t('accept.heading'),
    words(t('accept.text'), { fontSize: size.note, color: ink.soft, marginBottom: 3 }),
    link(d.link, d.accentInk, left),
  )
}

const pay = (d: Drawing) => howToPay({ ...d, reference: d.content.number ?? '' })

/** The account to pay into, and the page to pay on. */
export function howToPay(
  d: Sheet & Pick<Drawing, 'link' | 'canPayByCard'> & { reference: string },
  onlineText = d.canPayByCard ? 'pay.onlineText' : 'pay.viewText',
) {
  const { content, t, reference } = d
  const bank = content.business.bankAccount
  const rows = bank
    ? [
        [t('pay.accountName'), bank.accountName],
        [t('pay.bsb'), formatBsb(bank.bsb)],
        [t('pay.account'), bank.accountNumber],
        [t('pay.payId'), payIdOf(bank.payId ?? '')],
        [t('pay.reference'), reference],
      ].filter(([, value]) => value)
    : []
  const fact = ([name, value]: string[]) =>
    box(
      { flexDirection: 'row', gap: 8, paddingVertical: 1 },
      words(name ?? '', { fontSize: size.note, color: ink.soft, width: 74 }),
      words(value ?? '', { fontSize: size.note, fontWeight: 600, width: left - 82 }),
    )
  const transfer =
    rows.length > 0
      ? [words(t('pay.transfer'), { fontSize: size.note, color: ink.soft, marginBottom: 2 }), ...rows.map(fact)]
      : []
  const online = d.link
    ? [
        words(t(onlineText), {
          fontSize: size.note,
          color: ink.soft,
          marginTop: 7,
          marginBottom: 1,
        }),
        link(d.link, d.accentInk, left),
      ]
    : []
  return transfer.length + online.length > 0 ? panel(t('pay.heading'), ...transfer, ...online) : null
}

/** An ABN as PayID is read in groups. */
const payIdOf = (payId: string) => (/^\d{11}$/.test(payId) ? formatAbn(payId) : payId)

function adjustment(d: Drawing) {
  const { content, t } = d
  if (!content.adjusts) return null
  const { number, issueOn, reason } = content.adjusts
  const values = {
    title: t(content.isTaxInvoice ? 'title.taxInvoice' : 'title.invoice').toLowerCase(),
    number,
    day: issueOn ? longDay(issueOn, t) : '',
    amount: money(Math.abs(content.totals.totalCents)),
    gst: money(Math.abs(content.totals.gstCents)),
  }
  const effect = !content.isTaxInvoice ? 'adjustment.decreaseNoGst' : 'adjustment.decrease'
  return panel(
    t('adjustment.heading'),
    words(t(effect, values), { fontSize: size.note, width: left }),
    reason ? words(t('adjustment.reason', { reason }), { fontSize: size.note, marginTop: 4, width: left }) : null,
    content.isTaxInvoice && content.totals.gstCents !== 0
      ? words(t('adjustment.books', values), { fontSize: size.note, color: ink.soft, marginTop: 4, width: left })
      : null,
  )
}

/** What the marks beside lines mean: those that are there. */
function marks({ content, t }: Drawing) {
  if (!content.business.gstRegistered) return null
  if (content.forfeitureClause !== undefined)
    return words(t('marks.held'), { fontSize: size.small, color: ink.soft, width: left })
  const codes = new Set(content.lines.filter((line) => !isHeading(line)).map((line) => line.gstCode))
  codes.delete('GST')
  const isFree = [codes.delete('FREE'), codes.delete('EXPORT')].includes(true)
  const said = [...(isFree ? [t('marks.free')] : []), ...(codes.size > 0 ? [t('marks.none')] : [])]
  return said.length > 0 ? words(said.join(' '), { fontSize: size.small, color: ink.soft, width: left }) : null
}

/** Terms and notes, as long as they are. */
export function endMatter({ content, t }: Drawing): ReactNode[] {
  const parts = [
    ['section.forfeiture', content.forfeitureClause],
    ['section.notes', content.notes],
    ['section.terms', content.terms],
  ] as const
  return parts
    .flatMap(([name, text]) => (text?.trim() ? [{ name, text }] : []))
    .map(({ name, text }) =>
      box(
        { marginTop: 16 },
        words(t(name), { fontWeight: 600, fontSize: size.body }, { minPresenceAhead: 40 }),
        ...paragraphs(text, { fontSize: size.note, color: ink.soft, marginTop: 3 }),
      ),
    )
}

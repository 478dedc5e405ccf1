import { createElement, type ReactNode } from 'react'
import { Image, Link, View } from '@react-pdf/renderer'
import { formatAbn } from '../../contract/core/abn.ts'
import type { DocumentBusiness, DocumentParty } from './document.ts'
import { fit } from './pdf-fonts.ts'
import {
  box,
  corner,
  contentWidth,
  directed,
  type Drawing,
  ink,
  label,
  margin,
  money,
  type Sheet,
  sided,
  size,
  textBlock,
  whole,
  words,
} from './pdf-style.ts'
import { addressLines, longDay } from '../core/i18n/format.ts'

/** The coloured edge at the top of every page. */
export const edge = ({ accent }: Sheet) =>
  createElement(View, {
    fixed: true,
    style: { position: 'absolute', top: 0, left: 0, right: 0, height: 5, backgroundColor: accent },
  })

export const gap = 28
export const side = 210
export const main = contentWidth - side - gap
const columnGap = 20
const factName = 78

/** Who the document is from, what it is, and for whom. */
export const head = (d: Drawing) =>
  box(
    { marginBottom: 16 },
    masthead(d),
    box({ flexDirection: 'row', marginTop: 20, gap }, box({ width: main }, parties(d)), facts(d)),
    subject(d),
  )

const masthead = (d: Drawing) => box({ flexDirection: 'row', gap }, sender(d), titleBlock(d, numberOf(d), stamp(d)))

/** Who stands behind the name, where it is another. */
function registeredName({ name, legalName, isBrand }: DocumentBusiness, t: Drawing['t']): string {
  if (name === legalName) return ''
  return isBrand ? t('label.businessName', { name: legalName }) : legalName
}

export function sender({ content, logo, t }: Sheet) {
  const { business } = content
  const lines = [
    registeredName(business, t),
    business.abn ? t('label.abn', { abn: formatAbn(business.abn) }) : '',
    ...addressLines(business.address),
    [business.phone, business.email].filter(Boolean).join('  ·  '),
    (business.website ?? '').replace(/^https?:\/\//, '').replace(/\/$/, ''),
  ].filter(Boolean)
  const mark = logo
    ? createElement(Image, {
        src: { data: Buffer.from(logo.bytes), format: logo.mime === 'image/png' ? 'png' : 'jpg' },
        style: sided({
          maxWidth: 190,
          maxHeight: 54,
          objectFit: 'contain',
          objectPosition: '0 50%',
          alignSelf: 'flex-start',
          marginBottom: 8,
        }),
      })
    : null
  return box(
    { width: main },
    mark,
    words(business.name, {
      fontSize: logo ? size.lead : 17,
      fontWeight: 600,
      lineHeight: 1.2,
      marginBottom: 4,
      width: main,
    }),
    ...lines.map((line) => soft(line, main)),
  )
}

const numberOf = ({ content, t }: Drawing) =>
  [content.number ?? '', content.revision > 0 ? t('revision', { revision: content.revision }) : '']
    .filter(Boolean)
    .join('  ·  ')

/** What it is, at the right of whom it is from. */
export const titleBlock = ({ title, accentInk }: Sheet, number: string, mark: ReactNode = null) =>
  box(
    { width: side, alignItems: 'flex-end' },
    words(title, {
      fontSize: 22,
      fontWeight: 600,
      color: accentInk,
      lineHeight: 1.15,
      textAlign: 'right',
      width: side,
    }),
    number ? words(number, { fontSize: 12, fontWeight: 600, marginTop: 4, textAlign: 'right', width: side }) : null,
    mark,
  )

const stampOf = ({ state, content }: Drawing): { word: string; colour: string } | null => {
  if (state.status === 'draft') return { word: 'draft', colour: ink.soft }
  if (
    state.status === 'void' ||
    state.status === 'cancelled' ||
    state.status === 'superseded' ||
    state.status === 'declined'
  )
    return { word: state.status, colour: ink.bad }
  if (state.accepted) return { word: 'accepted', colour: ink.good }
  if (content.kind !== 'invoice' || content.invoiceKind === 'adjustment_note') return null
  if (state.paymentStatus === 'refunded') return { word: 'refunded', colour: ink.soft }
  return state.paymentStatus === 'paid' && state.paidCents > 0 ? { word: 'paid', colour: ink.good } : null
}

function stamp(d: Drawing) {
  const found = stampOf(d)
  if (!found) return null
  return box(
    {
      marginTop: 8,
      borderWidth: 1.5,
      borderColor: found.colour,
      borderRadius: corner(4),
      paddingVertical: 3,
      paddingHorizontal: 10,
    },
    words(d.t(`stamp.${found.word}`).toUpperCase(), {
      fontSize: 11,
      fontWeight: 600,
      color: found.colour,
      letterSpacing: 1.2,
      lineHeight: 1.2,
    }),
  )
}

function parties({ content, t }: Drawing) {
  const heading =
    content.kind === 'quote' ? 'label.preparedFor' : content.kind === 'order' ? 'label.customer' : 'label.billTo'
  const width = content.site ? (main - columnGap) / 2 : main
  const site =
    content.site &&
    box(
      { width },
      label(t('label.site')),
      words(content.site.name, { fontWeight: 600, width }),
      ...addressLines(content.site.address).map((line) => soft(line, width)),
    )
  return box(
    { flexDirection: 'row', gap: columnGap },
    box({ width }, label(t(heading)), ...party(content.billTo, t, width)),
    site,
  )
}

const soft = (line: string, width: number) => words(line, { fontSize: size.note, color: ink.soft, width })

export const party = (to: DocumentParty, t: Drawing['t'], width: number) => [
  words(to.name, { fontWeight: 600, width }),
  ...[
    to.contact && to.contact !== to.name ? t('label.attention', { name: to.contact }) : '',
    ...addressLines(to.address),
    to.abn ? t('label.abn', { abn: formatAbn(to.abn) }) : '',
    to.email ?? '',
  ]
    .filter(Boolean)
    .map((line) => soft(line, width)),
]

/** Dates and references, and for an invoice what is to be paid by when. */
function facts(d: Drawing) {
  const { content, t } = d
  const day = (value: string | null) => (value ? longDay(value, t) : '')
  const rows = [
    [t(content.kind === 'invoice' ? 'label.issued' : 'label.dated'), day(content.issueOn)],
    [t('label.due'), content.invoiceKind === 'adjustment_note' ? '' : day(content.dueOn)],
    [t('label.validUntil'), day(content.validUntil)],
    [t('label.scheduled'), day(content.scheduledOn)],
    [t('label.reference'), content.reference ?? ''],
    [t('label.adjusts'), content.adjusts?.number ?? ''],
  ].filter(([, value]) => value)
  return box({ width: side }, callout(d), ...rows.map(([name, value]) => fact(name ?? '', value ?? '')))
}

/** A day or a reference under the amount. */
export const fact = (name: string, value: string) =>
  box(
    { flexDirection: 'row', paddingVertical: 2.5 },
    soft(name, factName),
    words(value, { fontSize: size.note, fontWeight: 600, textAlign: 'right', width: side - factName }),
  )

function callout({ content, state, accent, hidesAmounts, t }: Drawing) {
  if (hidesAmounts) return null
  const isInvoice = content.kind === 'invoice' && content.invoiceKind !== 'adjustment_note'
  if (state.status === 'void' || state.status === 'cancelled') return null
  const owing = state.status === 'draft' ? content.totals.totalCents : state.balanceCents
  const cents = isInvoice ? owing : Math.abs((state.chosen?.totals ?? content.totals).totalCents)
  const name = isInvoice
    ? t('label.amountDue')
    : content.invoiceKind === 'adjustment_note'
      ? t('label.credit')
      : t('label.total')
  return amountBox(accent, name, cents)
}

/** What it comes to, so that it is seen first. */
export const amountBox = (accent: string, name: string, cents: number) =>
  box(
    {
      backgroundColor: ink.tint,
      borderLeftWidth: 3,
      borderLeftColor: accent,
      borderRadius: corner(3),
      paddingVertical: 8,
      paddingHorizontal: 12,
      marginBottom: 8,
      flexDirection: 'row',
      justifyContent: 'space-between',
      alignItems: 'center',
    },
    words(name, { fontSize: size.note, color: ink.soft }),
    words(money(cents), { fontSize: 15, fontWeight: 600, lineHeight: 1.2 }),
  )

function subject({ content }: Drawing) {
  return box(
    { marginTop: 16 },
    words(content.title, { fontSize: 13, fontWeight: 600, lineHeight: 1.3, width: contentWidth }),
    ...paragraphs(content.intro, { marginTop: 6 }),
  )
}

/** Paragraphs of a long text; each may run on to the next page. */
export const paragraphs = (
  text: string | null,
  style: { marginTop?: number; fontSize?: number; color?: string } = {},
) =>
  (text ?? '')
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => words(part.trim(), { marginTop: 4, ...style, width: contentWidth }, { orphans: 2, widows: 2 }))

const pagingWidth = 240

/** Name, number and page at the foot of every page. */
export function foot({ content, t }: Sheet, right: string) {
  const left = [
    content.business.name,
    content.business.abn ? t('label.abn', { abn: formatAbn(content.business.abn) }) : '',
  ]
    .filter(Boolean)
    .join('  ·  ')
  const style = { fontSize: size.small, color: ink.soft }
  const paddingTop = 8
  const paging = (page: number, pages: number) => `${right}  ·  ${t('page', { page, pages })}`
  return createElement(
    View,
    {
      fixed: true,
      style: sided({
        position: 'absolute',
        bottom: 28,
        left: margin,
        right: margin,
        borderTopWidth: 0.75,
        borderTopColor: ink.rule,
        paddingTop,
        flexDirection: 'row',
      }),
    },
    words(left, { ...style, width: contentWidth - pagingWidth - 20 }),
    // Not in a row with it: the library would align it before it knows how many pages there are.
    createElement(textBlock, {
      style: directed(right, {
        ...style,
        position: 'absolute',
        top: paddingTop,
        right: 0,
        width: pagingWidth,
        textAlign: 'right',
      }),
      render: ({ pageNumber, totalPages }: { pageNumber: number; totalPages: number }) =>
        paging(pageNumber, totalPages),
    }),
  )
}

/** An address people can click and type. */
export function link(url: string, usual: string, width: number) {
  const color = ink.link ?? usual
  const { host, pathname } = new URL(url)
  const shown = [host, pathname].map((part) => fit(part, width, size.note, 400)).join('\n')
  return createElement(
    Link,
    { src: url, style: directed(url, { fontSize: size.note, lineHeight: 1.4, color, textDecoration: 'none', width }) },
    shown,
  )
}

export const panel = (heading: string, ...children: Parameters<typeof box>[1][]) =>
  whole({ marginBottom: 12 }, words(heading, { fontWeight: 600, marginBottom: 4 }), ...children)

/** What the theme says at the foot. */
export const footWords = (foot: string | undefined): ReactNode[] =>
  foot ? [box({ marginTop: 16 }, ...paragraphs(foot, { fontSize: size.note, color: ink.soft }))] : []

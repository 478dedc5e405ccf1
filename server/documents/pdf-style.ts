import {
  Children,
  type ComponentProps,
  createElement,
  type FunctionComponent,
  type PropsWithChildren,
  type ReactNode,
} from 'react'
import { Text, type TextProps, View } from '@react-pdf/renderer'
import { isRtl, type Language } from '../../contract/core/languages.ts'
import { moneyIn, percentIn, quantityIn } from '../core/i18n/format.ts'
import type { Phrase } from '../core/i18n/phrases.ts'
import { onPaper, type ThemeFont } from '../../contract/dress.ts'
import type { RenderData, Suit } from './document.ts'
import { fit, fontFamily, isRightToLeft } from './pdf-fonts.ts'

/** What every part of a page is drawn from. */
export interface Drawing extends RenderData {
  t: Phrase
  /** The business's colour, and the same dark enough to be read on white. */
  accent: string
  accentInk: string
  title: string
}

/** What every sheet has, whatever it is. */
export type Sheet = Pick<Drawing, 't' | 'accent' | 'accentInk' | 'title' | 'logo'> & {
  content: Pick<Drawing['content'], 'business'>
}

export type Style = NonNullable<ComponentProps<typeof View>['style']>
type Child = ReactNode

const plain = { text: '#2A2733', soft: '#6A6775' } as const
export const ink = {
  ...plain,
  /** Of addresses; none where they have the colour of the paper. */
  link: null as string | null,
  faint: '#9A97A5',
  rule: '#E3E1E9',
  tint: '#F7F6FA',
  good: '#1B7F46',
  bad: '#B42318',
} satisfies Record<string, string | null> as {
  text: string
  soft: string
  link: string | null
  readonly faint: string
  readonly rule: string
  readonly tint: string
  readonly good: string
  readonly bad: string
}
export const margin = 48
/** A4 less both margins, in points. */
export const contentWidth = 595.28 - 2 * margin
export const size = { page: 'A4', small: 7.5, note: 8.5, body: 9.5, lead: 11 } as const

export const page = () => ({
  fontFamily: [...paperFonts[sheetFont], ...fontFamily],
  fontSize: size.body,
  color: ink.text,
  paddingTop: 44,
  paddingBottom: 64,
  paddingHorizontal: margin,
})

// Every element of a sheet is made in one go, so what holds for the sheet need not be handed through each of its parts.
let sheetLanguage: Language = 'en'
let sheetFont: ThemeFont = 'public-sans'
let sheetRadius: number | null = null
export function beginSheet(language: Language, suit: Suit | null = null) {
  sheetLanguage = language
  sheetFont = suit?.dress.font ?? 'public-sans'
  sheetRadius = suit?.dress.radius ?? null
  const read = suit && onPaper(suit.dress)
  Object.assign(ink, read ? { text: read.text, soft: read.muted, link: read.link } : { ...plain, link: null })
}
/** The corner of a box: on paper less than half as round as on a screen. */
export const corner = (usual: number): number => (sheetRadius === null ? usual : Math.round(sheetRadius * 0.4))
/** Fonts that every reader of PDFs has; letters they lack are those of the usual ones. */
const paperFonts: Readonly<Record<ThemeFont, readonly string[]>> = {
  'public-sans': [],
  system: ['Helvetica'],
  georgia: ['Times-Roman'],
  arial: ['Helvetica'],
}
/** Written from right to left, a sheet has its columns and edges the other way round. */
const isMirrored = () => isRtl(sheetLanguage)
export const money = (cents: number) => moneyIn(sheetLanguage)(cents)
export const percent = (basisPoints: number) => percentIn(sheetLanguage)(basisPoints)
export const quantity = (plain: string) => quantityIn(sheetLanguage)(plain)

const opposite: Readonly<Record<string, string>> = {
  left: 'right',
  right: 'left',
  marginLeft: 'marginRight',
  borderLeftWidth: 'borderRightWidth',
  borderLeftColor: 'borderRightColor',
  row: 'row-reverse',
  'flex-start': 'flex-end',
  'flex-end': 'flex-start',
}
const sides = new Set(['flexDirection', 'textAlign', 'alignSelf'])

/** A style as it is for the direction of the sheet. */
export function sided<S>(style: S): S {
  if (!isMirrored()) return style
  const given = style as Readonly<Record<string, unknown>>
  const isColumn = given['flexDirection'] === undefined
  const turned = Object.entries(given).map(([name, value]) => [
    opposite[name] ?? name,
    typeof value === 'string' && (sides.has(name) || (name === 'alignItems' && isColumn))
      ? (opposite[value] ?? value)
      : value,
  ])
  return Object.fromEntries(turned) as S
}

export const box = (style: Style, ...children: Child[]) =>
  createElement(View, { style: sided(style) }, ...Children.toArray(children))
/** A box that is never divided between pages. */
export const whole = (style: Style, ...children: Child[]) =>
  createElement(View, { style: sided(style), wrap: false }, ...Children.toArray(children))

export type TextStyle = Exclude<TextProps['style'], readonly unknown[] | undefined>
/** Letters that are joined are not drawn apart. */
const rtl = { direction: 'rtl', letterSpacing: 0 } as const

// The library's own type is a union with text inside drawings, which we have none of.
export const textBlock = Text as unknown as FunctionComponent<PropsWithChildren<TextProps>>

/** Where letters of two fonts meet, a line would else be broken with a hyphen that nobody wrote. */
const neverDivide = 10_000

/** Its letters reach further up and down than Latin ones. */
const arabicLine = 1.5

/** Aligned with the sheet; on one that is not mirrored, a text in Arabic stands at the right of its column. */
export function directed(text: string, style: TextStyle): TextStyle {
  const isArabic = isRightToLeft(text)
  const start: TextStyle = isMirrored() ? { textAlign: 'right' } : isArabic ? { textAlign: 'right' } : {}
  return {
    ...start,
    ...sided(style),
    ...(isArabic ? rtl : {}),
    ...(isArabic && !isMirrored() ? { textAlign: 'right' } : {}),
  }
}

/**
 * The line height next to the one wished for that makes whole quarter points. The places of rows far down a long
 * table are sums that the library keeps in 32 bits: in quarter points they are exact, otherwise rows seem to overlap
 * and the table is not divided.
 */
const inQuarters = (factor: number, fontSize: number) => Math.round(factor * fontSize * 4) / 4 / fontSize

/** A text. With a width, words that are wider are broken to fit. */
export function words(given: string, style: TextStyle = {}, more: Omit<TextProps, 'style' | 'children'> = {}) {
  const width = style.width ?? style.maxWidth
  // The mark that keeps an amount together is needed among Arabic letters alone.
  const text = isRightToLeft(given) ? given : given.replaceAll('\u200e', '')
  const fontSize = Number(style.fontSize ?? size.body)
  const shown = typeof width === 'number' ? fit(text, width, fontSize, style.fontWeight === 600 ? 600 : 400) : text
  // A line height on the page itself makes texts with a page number vanish, and one without a
  // size is measured by another.
  const lineHeight = isRightToLeft(text)
    ? Math.max(Number(style.lineHeight ?? 0), arabicLine)
    : Number(style.lineHeight ?? 1.4)
  const full: TextStyle = {
    fontSize: size.body,
    ...directed(text, style),
    lineHeight: inQuarters(lineHeight, fontSize),
  }
  return createElement(textBlock, { hyphenationPenalty: neverDivide, ...more, style: full }, shown)
}

export const label = (text: string) =>
  words(text, { fontSize: size.small, color: ink.soft, marginBottom: 3, letterSpacing: 0.3 })

import { describe, expect, it } from 'vitest'
import type { JobDefaults } from '../../contract/job-types.ts'
import { enteredLines, fillIn, reworded, takeBack, type JobTexts } from './job-defaults.ts'
import { newLine, sentLines, type EditorLine } from './line-state.ts'

const product = (name: string, kind: JobDefaults['lines'][number]['product']['kind'] = 'service') => ({
  guid: crypto.randomUUID(),
  name,
  kind,
  description: null,
  unit: 'each' as const,
  priceCents: 78_000,
  gstCode: 'GST' as const,
})
const event: JobDefaults = {
  guid: crypto.randomUUID(),
  name: 'Event set-up',
  lines: [
    { quantity: '2', product: product('Marquee') },
    { quantity: '1', product: product('Half price', 'discount') },
  ],
  missing: ['Old tent'],
  depositRule: { type: 'percent', value: 5000 },
  title: 'Your event',
  intro: 'Set up and taken down.',
}
const fence: JobDefaults = { ...event, name: 'Fence hire', depositRule: null, title: 'Fencing', intro: '', missing: [] }
const usual = { title: '', intro: '', depositRule: { type: 'none' } as const }
const choice = {
  last: null,
  keepsLines: true,
  untouched: usual,
  before: null,
  priceMode: 'exclusive' as const,
  isRegistered: true,
}
const typed = (name: string): EditorLine => ({ ...newLine(), name, unitPriceCents: 100 })
const names = (lines: readonly EditorLine[]) => lines.map(({ name }) => name)

describe('what a kind of job fills in', () => {
  it('takes the place of nothing, and leaves its prices to the catalogue', () => {
    const { content, filled } = fillIn(event, { lines: [newLine()], texts: usual }, choice)
    expect(sentLines(content.lines)).toMatchObject([
      { kind: 'item', name: 'Marquee', quantity: '2' },
      { kind: 'discount', name: 'Half price', quantity: '1' },
    ])
    expect(sentLines(content.lines)[0]).not.toHaveProperty('unitPriceCents')
    expect(content.texts).toEqual({
      title: 'Your event',
      intro: 'Set up and taken down.',
      depositRule: { type: 'percent', value: 5000 },
    })
    expect(filled.missing).toEqual(['Old tent'])
  })
  it('stands below what was entered or in its place, and leaves words that were entered', () => {
    const now = { lines: [typed('Own'), newLine()], texts: { ...usual, title: 'Party of the Smiths' } }
    expect(names(fillIn(event, now, choice).content.lines)).toEqual(['Own', 'Marquee', 'Half price'])
    const { content } = fillIn(event, now, { ...choice, keepsLines: false })
    expect([names(content.lines), content.texts.title]).toEqual([['Marquee', 'Half price'], 'Party of the Smiths'])
    expect(content.texts.depositRule).toEqual(usual.depositRule)
  })
  it('is taken back whole, but for what was entered since', () => {
    const lines = [typed('Own')]
    const { content, filled } = fillIn(event, { lines, texts: usual }, { ...choice, keepsLines: false })
    expect(takeBack(filled, content)).toEqual({ lines, texts: usual })
    const since = { lines: [...content.lines, typed('Since')], texts: { ...content.texts, title: 'Mine' } as JobTexts }
    const back = takeBack(filled, since)
    expect([names(back.lines), back.texts]).toEqual([['Own', 'Since'], { ...usual, title: 'Mine' }])
  })
  it('gives way to the next kind while nobody has changed it', () => {
    const first = fillIn(event, { lines: [newLine()], texts: usual }, choice)
    expect(enteredLines(first.content.lines, first.filled)).toEqual([])
    const second = fillIn(fence, first.content, { ...choice, last: first.filled })
    expect(names(second.content.lines)).toEqual(['Marquee', 'Half price'])
    expect(second.content.texts).toEqual({ ...usual, title: 'Fencing' })
    expect(takeBack(second.filled, second.content).texts).toEqual(usual)
    const changed = first.content.lines.map((line) => ({ ...line, quantity: '3' }))
    expect(names(enteredLines(changed, first.filled))).toEqual(['Marquee', 'Half price'])
  })
  it('says it anew for another customer, as far as it still says what it brought', () => {
    const { content, filled } = fillIn(event, { lines: [], texts: usual }, choice)
    const other = { ...event, title: 'Your event, Cormorant', intro: 'For Cormorant.' }
    const next = reworded(filled, other, { ...content.texts, intro: 'Mine' })
    expect([next?.texts.title?.after, next?.texts.intro?.after]).toEqual(['Your event, Cormorant', event.intro])
    expect(reworded(filled, event, content.texts)).toBeNull()
  })
})

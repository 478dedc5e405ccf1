import { f, row, say, table, verdict, wants } from './output.ts'
import type { Product } from './product.ts'
import { typingFigures } from './typing.ts'
import { routeSizes } from './web-size.ts'

export async function measureWeb(product: Product, link: string) {
  if (!wants('web')) return
  const routes = await routeSizes(product.url, link)
  if (!routes) return say('\nNo browser, so no sizes of pages.')
  table(['route (KiB gzipped)', 'JS', 'CSS', 'beyond the list route', 'requests', 'first row ms', 'at most', ''])
  for (const { route, js, css, more, requests, firstRowMs } of routes) {
    const [value, most] = route === '/login' ? [js, 170] : route === '/apps/quotes/list' ? [js + css, 260] : [more, 60]
    const isQuick = firstRowMs === null || firstRowMs <= 400
    row([
      route,
      f(js, 0),
      f(css, 0),
      f(more, 0),
      String(requests),
      firstRowMs === null ? '' : f(firstRowMs, 0),
      String(most),
      `${verdict(value, most)}${isQuick ? '' : ', first row over'}`,
    ])
  }
}

const keyMostMs = { few: 16, many: 50 }
const addMostSeconds = 5

export async function measureTyping(product: Product) {
  if (!wants('typing')) return
  const figures = await typingFigures(product.url)
  if (!figures) return say('\nNo browser, so no figures of typing.')
  table(['a key in the editor of documents', 'lines', 'ms of script', 'longest', 'thin ms', 'ratio', 'at most ms', ''])
  for (const { field, lines, scriptMs, longestMs, thinMs } of figures.keys) {
    const most = lines > 10 ? keyMostMs.many : keyMostMs.few
    const cells = [field, String(lines), f(scriptMs), f(longestMs), f(thinMs, 2), f(scriptMs / thinMs), String(most)]
    row([...cells, verdict(scriptMs, most)])
  }
  const added = verdict(figures.addSeconds, addMostSeconds)
  say(
    `\nA hundred lines, each by Enter: ${f(figures.addSeconds)} s ` +
      `(thin ${f(figures.thinAddSeconds)}; at most ${addMostSeconds}: ${added}).`,
  )
}

import { centsToDecimal } from '../../contract/core/money.ts'
import { Refusal } from './cards.ts'
import type { Charge } from './store.ts'
import { wordsFor } from './words.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const esc = (text: string) => text.replace(/[&<>"']/g, (c) => entities[c] ?? c)

/** Where a page is shown and how it should look; `parent` has been checked against the allowed origins. */
export interface View {
  parent: string | null
  frame: string
  theme: 'light' | 'dark' | 'system'
  locale: string | null
  returnUrl: string | null
}

/**
 * Reads the query of a page. A parent or return address that is not allowed is refused:
 * nothing is ever told to strangers.
 */
export function readView(query: URLSearchParams, origins: readonly string[]): View {
  const allowed = (address: string | null) => {
    if (address === null) return null
    const origin = URL.parse(address)?.origin
    if (!origin || !origins.includes(origin))
      throw new Refusal(403, 'origin_not_allowed', 'This page may not be shown there.')
    return address
  }
  const parent = allowed(query.get('parent'))
  const returnUrl = allowed(query.get('return_url'))
  const theme = query.get('theme')
  return {
    parent: parent === null ? null : (URL.parse(parent)?.origin ?? null),
    frame: (query.get('frame') ?? '').replace(/[^\w-]/g, '').slice(0, 64),
    theme: theme === 'dark' || theme === 'light' ? theme : 'system',
    locale: query.get('locale'),
    returnUrl,
  }
}

function page(view: View, script: string, title: string, body: string, more: Record<string, string> = {}): string {
  const { lang, words } = wordsFor(view.locale)
  const data = { parent: view.parent ?? '', frame: view.frame, return: view.returnUrl ?? '', ...more }
  const attributes = Object.entries(data)
    .map(([name, value]) => ` data-${name}="${esc(value)}"`)
    .join('')
  return `<!doctype html>
<html lang="${lang}" dir="${words.dir}" data-theme="${view.theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${esc(title)}</title>
<link rel="stylesheet" href="/v1/page.css">
</head>
<body${attributes}>${body}<script src="/v1/${script}" type="module"></script></body>
</html>
`
}

const field = (id: string, label: string, attributes: string, extra = '') => `
<div class="field" id="field-${id}">
<label for="${id}">${esc(label)}</label>
<div class="box"><input id="${id}" name="${id}" dir="ltr" aria-describedby="${id}-error" ${attributes}>${extra}</div>
<p class="error" id="${id}-error" role="alert"></p>
</div>`

const messageNames = [
  'missing_number',
  'missing_cvc',
  'incorrect_number',
  'not_a_test_card',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'expired_card',
  'incorrect_cvc',
  'failed',
] as const

/** The card form; it lives in the provider's origin, so that the page around it never sees a card number. */
export function cardPage(view: View): string {
  const { words } = wordsFor(view.locale)
  const messages = Object.fromEntries(messageNames.map((name) => [name, words[name]]))
  const numeric = 'inputmode="numeric" type="text" required spellcheck="false" autocapitalize="off"'
  const number = `${numeric} autocomplete="cc-number" maxlength="23"`
  const expiry = `${numeric} autocomplete="cc-exp" maxlength="7"`
  const cvc = `${numeric} autocomplete="cc-csc" maxlength="4"`
  const brand = '<span class="brand" id="brand" aria-live="polite"></span>'
  const body = `<div id="root"><form novalidate id="card" aria-label="${esc(words.cardTitle)}">
${field('number', words.number, number, brand)}
<div class="pair">${field('expiry', words.expiry, expiry)}
${field('cvc', words.cvc, cvc)}</div>
${field('name', words.name, 'type="text" autocomplete="cc-name" maxlength="100"')}
<p class="note">${esc(words.test)}</p></form></div>`
  return page(view, 'card.js', words.cardTitle, body, { messages: JSON.stringify(messages) })
}

const brandNames: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' }

const fact = ([name, value]: [string, string]) => `<div><dt>${esc(name)}</dt><dd><bdi>${esc(value)}</bdi></dd></div>`
const facts = (rows: [string, string][]) => `<dl>${rows.map(fact).join('')}</dl>`

interface Sheet {
  title: string
  text: string
  rows: string
  no: { id: string; label: string }
  yes: { id: string; label: string }
}

/** A question with two answers. Inside the page of a shop, whose main part is elsewhere, it is a part of it. */
function sheet(view: View, { title, text, rows, no, yes }: Sheet): string {
  const tag = view.parent === null ? 'main' : 'section'
  return `<${tag} class="sheet" id="root" aria-labelledby="title">
<h1 id="title">${esc(title)}</h1><p>${esc(text)}</p>${rows}
<div class="buttons" id="buttons">
<button type="button" class="plain" id="${no.id}">${esc(no.label)}</button>
<button type="button" id="${yes.id}">${esc(yes.label)}</button>
</div>
<p id="outcome" role="status"></p></${tag}>`
}

/** The page of the payer's bank (3-D Secure). */
export function actionPage(view: View, actionId: string, charge: Charge): string {
  const { words } = wordsFor(view.locale)
  const rows = facts([
    [words.amount, `$${centsToDecimal(charge.amountCents)} AUD`],
    [words.card, `${brandNames[charge.card.brand] ?? ''} •••• ${charge.card.last4}`],
  ])
  const body = sheet(view, {
    title: words.checkTitle,
    text: words.checkText,
    rows,
    no: { id: 'decline', label: words.decline },
    yes: { id: 'approve', label: words.approve },
  })
  return page(view, 'action.js', words.checkTitle, body, {
    action: actionId,
    approved: words.approved,
    declined: words.declined,
    failed: words.failed,
  })
}

/** The sheet of a wallet. */
export function walletPage(view: View, wallet: string, amount: string): string {
  const { words } = wordsFor(view.locale)
  const name = wallet === 'apple_pay' ? 'Apple Pay' : 'Google Pay'
  const title = words.walletTitle.replace('{wallet}', name)
  const rows = amount ? facts([[words.amount, amount]]) : ''
  const body = sheet(view, {
    title,
    text: words.walletText.replace('{wallet}', name),
    rows,
    no: { id: 'cancel', label: words.cancel },
    yes: { id: 'pay', label: words.pay },
  })
  return page(view, 'wallet.js', title, body, { wallet, failed: words.failed })
}

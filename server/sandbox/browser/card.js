import { listen, post, reportHeight, tell } from './talk.js'

const messages = JSON.parse(document.body.dataset.messages)
const form = document.getElementById('card')
const inputs = {
  number: document.getElementById('number'),
  expiry: document.getElementById('expiry'),
  cvc: document.getElementById('cvc'),
  name: document.getElementById('name'),
}
const brand = document.getElementById('brand')
const fieldOfApi = { number: 'number', expMonth: 'expiry', expYear: 'expiry', cvc: 'cvc' }

const digits = (text) => text.replace(/\D/g, '')
const isAmex = (number) => /^3[47]/.test(number)
const brandOf = (number) =>
  number.startsWith('4') ? 'Visa' : /^(5[1-5]|2[2-7])/.test(number) ? 'Mastercard' : isAmex(number) ? 'Amex' : ''
const passesLuhn = (number) =>
  [...number]
    .reverse()
    .reduce((sum, c, i) => sum + (i % 2 ? (Number(c) * 2 > 9 ? Number(c) * 2 - 9 : Number(c) * 2) : Number(c)), 0) %
    10 ===
  0
const numberLength = (number) => (isAmex(number) ? 15 : 16)

const groups = (number) =>
  (isAmex(number)
    ? [number.slice(0, 4), number.slice(4, 10), number.slice(10, 15)]
    : (number.slice(0, 19).match(/.{1,4}/g) ?? [])
  )
    .filter(Boolean)
    .join(' ')
const formats = {
  number: (text) => groups(digits(text)),
  expiry: (text) => {
    // People also paste 2030-style years and type a month of one digit.
    const [month = '', year = ''] = text.includes('/')
      ? text.split('/').map(digits)
      : [digits(text).slice(0, 2), digits(text).slice(2)]
    const padded = /^[2-9]$/.test(month) || (text.includes('/') && month === '1') ? `0${month}` : month.slice(0, 2)
    return year || text.includes('/') ? `${padded}/${(year.length === 4 ? year.slice(2) : year).slice(0, 2)}` : padded
  },
  cvc: (text) => digits(text).slice(0, isAmex(digits(inputs.number.value)) ? 4 : 3),
}

/** Writes the text in its format and leaves the caret after the digit it was after. */
function reformat(input, format) {
  const before = digits(input.value.slice(0, input.selectionStart ?? input.value.length)).length
  const text = format(input.value)
  if (text === input.value) return
  const isAtEnd = input.selectionStart === input.value.length
  input.value = text
  let at = 0
  for (let seen = 0; at < text.length && seen < before; at++) if (/\d/.test(text[at])) seen++
  input.setSelectionRange(isAtEnd ? text.length : at, isAtEnd ? text.length : at)
}

function problemOf(field) {
  const number = digits(inputs.number.value)
  if (field === 'number') return number.length < numberLength(number) || !passesLuhn(number) ? 'incorrect_number' : null
  if (field === 'cvc') return digits(inputs.cvc.value).length !== (isAmex(number) ? 4 : 3) ? 'incorrect_cvc' : null
  if (field !== 'expiry') return null
  const [month, year] = inputs.expiry.value.split('/').map(Number)
  if (!month || month > 12 || !/^\d{2}\/\d{2}$/.test(inputs.expiry.value)) return 'invalid_expiry_month'
  return new Date(2000 + year, month, 1) < new Date() ? 'expired_card' : null
}

function show(field, problem) {
  const message = inputs[field].value ? messages[problem] : (messages[`missing_${field}`] ?? messages[problem])
  document.getElementById(`${field}-error`).textContent = problem ? (message ?? messages.failed) : ''
  if (problem) inputs[field].setAttribute('aria-invalid', 'true')
  else inputs[field].removeAttribute('aria-invalid')
}

const isComplete = () => ['number', 'expiry', 'cvc'].every((field) => problemOf(field) === null)
const tellChange = () =>
  tell('change', { isComplete: isComplete(), brand: brandOf(digits(inputs.number.value)).toLowerCase() })

for (const [field, input] of Object.entries(inputs)) {
  let deleted = false
  input.addEventListener('beforeinput', (event) => (deleted = event.inputType.startsWith('delete')))
  input.addEventListener('input', () => {
    if (formats[field] && !(deleted && field === 'expiry')) reformat(input, formats[field])
    if (field === 'number') brand.textContent = brandOf(digits(input.value))
    if (input.getAttribute('aria-invalid') && !problemOf(field)) show(field, null)
    tellChange()
  })
  input.addEventListener('blur', () => show(field, input.value ? problemOf(field) : null))
}
form.addEventListener('submit', (event) => {
  event.preventDefault()
  tell('submit')
})
// A form without a button submits by Enter only while it has one field.
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') tell('submit')
})

async function tokenize(id) {
  const problems = ['number', 'expiry', 'cvc'].map((field) => [field, problemOf(field)])
  for (const [field, problem] of problems) show(field, problem)
  const first = problems.find(([, problem]) => problem)
  if (first) {
    inputs[first[0]].focus()
    return tell('token', { id, error: { code: first[1], message: messages[first[1]] } })
  }
  const [month, year] = inputs.expiry.value.split('/').map(Number)
  try {
    const { isOk, answer } = await post('/v1/tokens', {
      number: digits(inputs.number.value),
      expMonth: month,
      expYear: 2000 + year,
      cvc: inputs.cvc.value,
      name: inputs.name.value,
    })
    if (isOk) return tell('token', { id, token: answer.token, card: answer.card })
    const field = fieldOfApi[answer.field] ?? 'number'
    show(field, answer.error)
    inputs[field].focus()
    tell('token', { id, error: { code: answer.error, message: messages[answer.error] ?? answer.message } })
  } catch {
    tell('token', { id, error: { code: 'failed', message: messages.failed } })
  }
}

listen((message) => {
  if (message.type === 'tokenize') tokenize(message.id)
  if (message.type === 'focus') inputs.number.focus()
  if (message.type === 'theme') document.documentElement.dataset.theme = message.theme
})
reportHeight()
tell('ready')

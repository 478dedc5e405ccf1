import type { Language } from '../../contract/core/languages.ts'
import type { AppError } from '../../contract/core/errors.ts'
import { places } from '../../contract/places.ts'
import { type Phrase, phrases } from '../core/i18n/phrases.ts'
import { sayIn } from '../core/i18n/sentences.ts'
import { escape, type Frame, frame } from './setup.frame.ts'

/** What the form holds; passwords are never sent back. */
export interface SetupForm {
  token: string
  legalName: string
  abn: string
  isGstRegistered: boolean
  email: string
  firstName: string
  lastName: string
  authID: string
  start: 'empty' | 'sample'
}
/** In the language of the page. */
export type SetupErrors = Partial<Record<Exclude<keyof SetupForm, 'token'> | 'password', string>>
/** What a page is made with, whatever it shows. */
export type Setting = Pick<Frame, 'product' | 'language' | 'nonce'>

interface Field {
  name: Exclude<keyof SetupForm, 'token' | 'isGstRegistered' | 'start'> | 'password'
  label: string
  most: number
  type?: string
  autocomplete?: string
  hint?: string
  isOptional?: boolean
  /** Written from left to right in every language. */
  isLatin?: boolean
}

interface Sheet {
  t: Phrase
  form: SetupForm
  errors: SetupErrors
  first: string
}

function field(
  { t, form, errors, first }: Sheet,
  { name, label, most, type = 'text', autocomplete = 'off', hint, isOptional, isLatin }: Field,
) {
  const error = errors[name]
  const described = [error ? `${name}-error` : '', hint ? `${name}-hint` : ''].filter(Boolean).join(' ')
  const value = name === 'password' ? 'minlength="10"' : `value="${escape(form[name])}"`
  const attributes = [
    `dir="${isLatin ? 'ltr' : 'auto'}"`,
    `maxlength="${most}"`,
    `autocomplete="${autocomplete}"`,
    value,
    isOptional ? '' : 'required',
    error ? 'aria-invalid="true"' : '',
    described ? `aria-describedby="${described}"` : '',
    first === name ? 'autofocus' : '',
  ]
  const optional = isOptional ? ` <span class="optional">(${escape(t('optional'))})</span>` : ''
  const wrong = error ? `<p class="bad" id="${name}-error">${escape(error)}</p>` : ''
  const explained = hint ? `<p class="hint" id="${name}-hint">${escape(hint)}</p>` : ''
  return `<div>
<label for="${name}">${escape(label)}${optional}</label>
<input id="${name}" name="${name}" type="${type}" ${attributes.filter(Boolean).join(' ')}>
${wrong}${explained}
</div>`
}

/** A box to mark, or one of several, with a title and a line below it. */
const box = (id: string, input: string, title: string, text: string) =>
  `<input ${input} aria-labelledby="${id}-title" aria-describedby="${id}-text">
<span>
<strong id="${id}-title">${escape(title)}</strong>
<span class="hint" id="${id}-text">${escape(text)}</span>
</span>`

const choice = (form: SetupForm, start: SetupForm['start'], title: string, text: string) => {
  const input = `type="radio" name="start" value="${start}"${form.start === start ? ' checked' : ''}`
  return `<label class="choice boxed">${box(start, input, title, text)}</label>`
}

/** Says what the wait is about; and another language takes along what was typed. Without scripts the page works too. */
const script = `
const form = document.forms[0], button = form.querySelector('button')
const wait = document.getElementById('wait'), label = button.textContent
form.addEventListener('submit', () => {
  wait.textContent = form.elements.start.value === 'sample' ? wait.dataset.sample : ''
  button.textContent = wait.dataset.making
  setTimeout(() => { button.disabled = true; wait.scrollIntoView({ block: 'nearest' }) })
})
addEventListener('pageshow', () => { button.disabled = false; button.textContent = label; wait.textContent = '' })
for (const link of document.querySelectorAll('[data-language]')) link.addEventListener('click', (event) => {
  event.preventDefault()
  form.elements.lang.value = link.dataset.language
  form.elements.only.value = 'language'
  form.elements.password.disabled = true
  form.submit()
})`

const fieldsOf = (t: Phrase) =>
  ({
    business: {
      legalName: {
        name: 'legalName',
        most: 160,
        label: t('business.legalName'),
        autocomplete: 'organization',
        hint: t('business.legalNameHint'),
      },
      abn: {
        name: 'abn',
        most: 20,
        label: t('business.abn'),
        isOptional: true,
        isLatin: true,
        hint: t('business.abnHint'),
      },
      email: {
        name: 'email',
        most: 254,
        label: t('business.email'),
        type: 'email',
        autocomplete: 'email',
        isOptional: true,
        isLatin: true,
      },
    },
    administrator: {
      firstName: { name: 'firstName', most: 80, label: t('administrator.firstName'), autocomplete: 'given-name' },
      lastName: {
        name: 'lastName',
        most: 80,
        label: t('administrator.lastName'),
        autocomplete: 'family-name',
        isOptional: true,
      },
      login: {
        name: 'authID',
        most: 254,
        label: t('administrator.login'),
        autocomplete: 'username',
        isLatin: true,
        hint: t('administrator.loginHint'),
      },
      password: {
        name: 'password',
        most: 1024,
        label: t('administrator.password'),
        type: 'password',
        autocomplete: 'new-password',
        isLatin: true,
        hint: t('administrator.passwordHint'),
      },
    },
  }) satisfies Record<string, Record<string, Field>>

const setupAddress = (token: string) => (language: Language) =>
  `/setup?${new URLSearchParams({ token, lang: language }).toString()}`

/** The form; `problem` when what was sent could not be done. */
export function setupPage(
  setting: Setting,
  form: SetupForm,
  errors: SetupErrors = {},
  problem: 'wrong' | 'failed' | null = null,
): string {
  const { product, language, nonce } = setting
  const t = phrases('setup', language)
  const sheet: Sheet = { t, form, errors, first: Object.keys(errors)[0] ?? (problem ? 'password' : 'legalName') }
  const show = (f: Field) => field(sheet, f)
  const title = t('title', { product })
  const { business, administrator } = fieldsOf(t)
  const wrong = problem ? `<p class="note wrong" role="alert">${escape(t(`error.${problem}`))}</p>` : ''
  const registered = `type="checkbox" name="isGstRegistered" value="yes"${form.isGstRegistered ? ' checked' : ''}`
  const waiting = `data-making="${escape(t('making'))}" data-sample="${escape(t('makingSample'))}"`
  return frame(
    { ...setting, title: problem ? `${t('error.title')}: ${title}` : title, addressIn: setupAddress(form.token) },
    `<h1>${escape(title)}</h1>
<p class="lead">${escape(t('intro'))}</p>${wrong}
<form method="post" action="/setup">
<input type="hidden" name="token" value="${escape(form.token)}">
<input type="hidden" name="lang" value="${language}">
<input type="hidden" name="only" value="">
<fieldset>
<legend>${escape(t('business.legend'))}</legend>
${show(business.legalName)}
<div class="two">${show(business.abn)}${show(business.email)}</div>
<label class="choice">${box('gst', registered, t('business.gst'), t('business.gstHint'))}</label>
</fieldset>
<fieldset>
<legend>${escape(t('administrator.legend'))}</legend>
<div class="two">${show(administrator.firstName)}${show(administrator.lastName)}</div>
<div class="two">${show(administrator.login)}${show(administrator.password)}</div>
</fieldset>
<fieldset>
<legend>${escape(t('start.legend'))}</legend>
${choice(form, 'empty', t('start.empty'), t('start.emptyText'))}
${choice(form, 'sample', t('start.sample'), t('start.sampleText'))}
</fieldset>
<button>${escape(t('submit'))}</button>
<p class="wait" id="wait" role="status" ${waiting}></p>
</form><script nonce="${nonce}">${script}</script>`,
  )
}

/**
 * Where the web app keeps the language chosen in this browser (`storagePrefix` in its config): it opens in
 * this one, before the login too.
 */
const remember = ({ product, language }: Setting) => {
  const key = `${product.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.language`
  return `try {
  localStorage.setItem('${key}', JSON.stringify({ value: '${language}', at: Date.now() }))
} catch {}`
}

const tick = `<span class="tick">
<svg width="28" height="28" viewBox="0 0 24 24" fill="none" aria-hidden="true"
  stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round">
<path d="M5 12.5l4.5 4.5L19 7.5"/>
</svg>
</span>`

export function setupDonePage(setting: Setting, { authID, start }: Pick<SetupForm, 'authID' | 'start'>): string {
  const t = phrases('setup', setting.language)
  const login = `<p>${escape(t('done.login'))} <strong><bdi>${escape(authID)}</bdi></strong></p>`
  return frame(
    { ...setting, title: t('done.title', { product: setting.product }), addressIn: null },
    `${tick}<h1>${escape(t('done.title', { product: setting.product }))}</h1>
<p>${escape(t(`done.${start}`))}</p>${login}
<a class="button" href="${places.login}">${escape(t('done.button'))}</a>
<script nonce="${setting.nonce}">${remember(setting)}</script>`,
  )
}

/** For everybody without the link of the first run, and after it: the same whether there is a company or not. */
export function setupClosedPage(setting: Setting): string {
  const t = phrases('setup', setting.language)
  return frame(
    { ...setting, title: t('closed.title'), addressIn: (language) => `/setup?lang=${language}` },
    `<h1>${escape(t('closed.title'))}</h1>
<p>${escape(t('closed.text'))}</p><a class="button" href="${places.login}">${escape(t('done.button'))}</a>`,
  )
}

/** What stopped a request before it was read. */
export function setupRefusedPage(setting: Setting, error: AppError): string {
  const t = phrases('setup', setting.language)
  const sentence = error.code === 'FORBIDDEN' ? t('error.foreign') : sayIn(setting.language, error.message)
  return frame(
    { ...setting, title: t('error.title'), addressIn: null },
    `<h1>${escape(t('error.title'))}</h1><p>${escape(sentence)}</p>`,
  )
}

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
}
export type SetupErrors = Partial<Record<keyof SetupForm | 'password', string>>

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (c) => entities[c] ?? c)

const style = `
:root { color-scheme: light dark; --ground: light-dark(#f8f7fa, #25293c); --paper: light-dark(#fff, #2f3349); --ink: light-dark(#2f2b3d, #e1def5);
  --faint: light-dark(#5d5a6b, #b0adc4); --line: light-dark(#c9c8ce, #565b79); --accent: light-dark(#675dd8, #8f85f3); --on-accent: light-dark(#fff, #1d1a33); --bad: light-dark(#b3262b, #ff9195); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 2rem 1rem; background: var(--ground); color: var(--ink); font: 16px/1.5 'Public Sans', system-ui, sans-serif; }
main { width: 100%; max-width: 34rem; padding: clamp(1.25rem, 4vw, 2.25rem); border-radius: 12px; background: var(--paper); box-shadow: 0 3px 14px rgb(47 43 61 / .14); }
h1 { margin: 0 0 .25rem; font-size: 1.45rem; font-weight: 600; }
p { margin: 0 0 1rem; color: var(--faint); }
fieldset { border: 0; margin: 0 0 1rem; padding: 0; }
legend { padding: .5rem 0 .25rem; font-weight: 600; }
label { display: block; margin: .7rem 0 .2rem; font-size: .9rem; }
.check { display: flex; gap: .6rem; align-items: center; margin-top: .9rem; }
input:not([type=checkbox]) { width: 100%; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: 8px; background: transparent; color: inherit; font: inherit; }
input[aria-invalid=true] { border-color: var(--bad); }
input[type=checkbox] { width: 1.2rem; height: 1.2rem; accent-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.bad { margin: .25rem 0 0; color: var(--bad); font-size: .85rem; }
.hint { margin: .25rem 0 0; font-size: .85rem; color: var(--faint); }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 0 1rem; }
button, .button { display: block; width: 100%; margin-top: 1.25rem; padding: .75rem; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }`

const page = (title: string, nonce: string, content: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>${escape(title)}</title><link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style nonce="${nonce}">${style}</style>
</head>
<body><main>${content}</main></body>
</html>`

interface Field {
  name: Exclude<keyof SetupForm, 'token' | 'isGstRegistered'> | 'password'
  label: string
  type?: string
  autocomplete?: string
  hint?: string
  isOptional?: boolean
}

function field({ name, label, type = 'text', autocomplete = 'off', hint, isOptional }: Field, form: SetupForm, errors: SetupErrors) {
  const error = errors[name]
  const value = name === 'password' ? '' : form[name]
  const described = [error ? `${name}-error` : '', hint ? `${name}-hint` : ''].filter(Boolean).join(' ')
  return `<div><label for="${name}">${label}${isOptional ? ' (optional)' : ''}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${escape(value)}"${isOptional ? '' : ' required'}${error ? ' aria-invalid="true"' : ''}${described ? ` aria-describedby="${described}"` : ''}>
${hint ? `<p class="hint" id="${name}-hint">${hint}</p>` : ''}${error ? `<p class="bad" id="${name}-error">${escape(error)}</p>` : ''}</div>`
}

export function setupPage(title: string, nonce: string, form: SetupForm, errors: SetupErrors = {}): string {
  const show = (f: Field) => field(f, form, errors)
  const general = errors.token ? `<p class="bad" role="alert">${escape(errors.token)}</p>` : ''
  return page(
    `Set up ${title}`,
    nonce,
    `<h1>Set up ${escape(title)}</h1>
<p>Two things are needed once: your business, and the person who looks after this installation.</p>${general}
<form method="post" action="/setup">
<input type="hidden" name="token" value="${escape(form.token)}">
<fieldset><legend>Your business</legend>
${show({ name: 'legalName', label: 'Legal name', autocomplete: 'organization' })}
<div class="two">${show({ name: 'abn', label: 'ABN', isOptional: true, hint: '11 digits; needed for tax invoices' })}${show({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email', isOptional: true })}</div>
<label class="check"><input type="checkbox" name="isGstRegistered" value="yes"${form.isGstRegistered ? ' checked' : ''}> Registered for GST</label>
</fieldset>
<fieldset><legend>First administrator</legend>
<div class="two">${show({ name: 'firstName', label: 'First name', autocomplete: 'given-name' })}${show({ name: 'lastName', label: 'Last name', autocomplete: 'family-name', isOptional: true })}</div>
${show({ name: 'authID', label: 'Login', autocomplete: 'username', hint: 'Usually the e-mail address' })}
${show({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: '10 characters or more' })}
</fieldset>
<button>Set up</button>
</form>`,
  )
}

export const setupDonePage = (title: string, nonce: string, authID: string): string =>
  page(`${title} is set up`, nonce, `<h1>All set</h1><p>The business and the first administrator are there. This page is closed for good now.</p><p>Log in as <strong>${escape(authID)}</strong>.</p><a class="button" href="/login">Go to the login</a>`)

const fields = 'input:not([type="hidden"], :disabled, [type="radio"]:not(:checked)), textarea:not(:disabled)'

/**
 * Where a question over the page begins: in the field that asks for it, else in its first field; without fields at
 * Cancel, the first of its buttons, so that Enter alone does nothing. The kit would begin at the button that closes.
 */
export function beginAtField(form: HTMLFormElement | null) {
  if (!form || form.querySelector('[data-autofocus]')) return
  const first = form.querySelector(fields) ?? form.querySelector('.dialog-actions button')
  first?.setAttribute('data-autofocus', 'true')
}

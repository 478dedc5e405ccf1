/**
 * The script a shop loads: it shows frames of the provider's origin and carries tokens, never card numbers.
 * It sets styles one property at a time, because the pages it runs in forbid style attributes and style elements.
 */
;(() => {
  const origin = new URL(document.currentScript.src).origin

  const style = (element, properties) => {
    for (const [name, value] of Object.entries(properties)) element.style[name] = value
    return element
  }
  const failure = (code, message) => Object.assign(new Error(message), { code })
  const newId = () => crypto.getRandomValues(new Uint32Array(3)).join('-')

  function openFrame(container, path, query, title, handle) {
    const id = newId()
    const url = new URL(path, origin)
    for (const [name, value] of Object.entries({ ...query, parent: location.origin, frame: id }))
      if (value) url.searchParams.set(name, value)
    const frame = style(document.createElement('iframe'), {
      border: '0',
      width: '100%',
      display: 'block',
      backgroundColor: 'transparent',
    })
    if (query.theme === 'dark' || query.theme === 'light') frame.style.colorScheme = query.theme
    frame.title = title
    frame.src = url.href
    const onMessage = (event) => {
      if (event.origin !== origin || event.source !== frame.contentWindow) return
      const message = event.data
      if (message?.source !== 'brolga-pay' || message.frame !== id) return
      if (message.type === 'height' && Number.isFinite(message.height))
        frame.style.height = `${Math.min(Math.max(message.height, 80), 1200)}px`
      else handle(message)
    }
    window.addEventListener('message', onMessage)
    container.append(frame)
    return {
      element: frame,
      send: (message) => frame.contentWindow?.postMessage({ source: 'brolga-pay', frame: id, ...message }, origin),
      close: () => {
        window.removeEventListener('message', onMessage)
        frame.remove()
      },
    }
  }

  /** A modal frame: resolves with the first message that settles it, rejects when it is closed before. */
  function openModal(path, query, title, settle) {
    return new Promise((resolve, reject) => {
      const before = document.activeElement
      const dialog = style(document.createElement('dialog'), {
        padding: '0',
        border: '0',
        borderRadius: '6px',
        width: 'min(420px, 94vw)',
        maxHeight: '92vh',
        overflow: 'auto',
        backgroundColor: 'transparent',
        boxShadow: '0 8px 40px rgb(0 0 0 / 0.35)',
      })
      dialog.setAttribute('aria-label', title)
      const finish = (done) => {
        frame.close()
        dialog.close()
        dialog.remove()
        if (before instanceof HTMLElement) before.focus()
        done()
      }
      const cancel = () => finish(() => reject(failure('cancelled', 'The window was closed.')))
      const frame = openFrame(dialog, path, query, title, (message) => {
        if (message.type === 'close') return cancel()
        const value = settle(message)
        if (value !== undefined) finish(() => resolve(value))
      })
      frame.element.style.height = '320px'
      dialog.addEventListener('cancel', (event) => {
        event.preventDefault()
        cancel()
      })
      document.body.append(dialog)
      dialog.showModal()
    })
  }

  /**
   * `BrolgaPay(publicKey)`: `mountCard(element, { theme, locale, title, onReady, onChange, onSubmit })`, `tokenize()`,
   * `wallet('apple_pay' | 'google_pay', { amount })`, `handleAction(url)`, `update({ theme })`, `focus()`, `unmount()`.
   */
  window.BrolgaPay = (publicKey) => {
    let look = {}
    let card = null
    let tokens = new Map()
    const settleToken = (message) => {
      const waiting = tokens.get(message.id)
      tokens.delete(message.id)
      if (message.error) waiting?.reject(failure(message.error.code, message.error.message))
      else waiting?.resolve({ token: message.token, card: message.card })
    }
    const unmount = () => {
      card?.close()
      card = null
      for (const { reject } of tokens.values()) reject(failure('unmounted', 'The card form was closed.'))
      tokens = new Map()
    }
    const pay = {
      mountCard(element, options = {}) {
        unmount()
        look = { theme: options.theme ?? 'system', locale: options.locale ?? document.documentElement.lang }
        card = openFrame(
          element,
          '/v1/frame',
          { ...look, key: publicKey },
          options.title ?? 'Card details',
          (message) => {
            if (message.type === 'token') settleToken(message)
            if (message.type === 'ready') options.onReady?.()
            if (message.type === 'submit') options.onSubmit?.()
            if (message.type === 'change') options.onChange?.({ isComplete: message.isComplete, brand: message.brand })
          },
        )
        card.element.style.height = '280px'
        return pay
      },
      tokenize() {
        if (!card) return Promise.reject(failure('not_mounted', 'The card form is not shown.'))
        const id = newId()
        return new Promise((resolve, reject) => {
          tokens.set(id, { resolve, reject })
          card.send({ type: 'tokenize', id })
          setTimeout(() => tokens.delete(id) && reject(failure('timeout', 'The card form did not answer.')), 15_000)
        })
      },
      wallet(wallet, options = {}) {
        const query = { ...look, ...options, wallet, key: publicKey }
        return openModal('/v1/wallet', query, wallet === 'apple_pay' ? 'Apple Pay' : 'Google Pay', (message) =>
          message.type === 'token' ? { token: message.token, card: message.card } : undefined,
        )
      },
      /** 3-D Secure: `succeeded` or `failed`; closing the window counts as failed, the server knows better. */
      handleAction(url, options = {}) {
        const address = new URL(url)
        if (address.origin !== origin)
          return Promise.reject(failure('origin_not_allowed', 'This is no page of the payment provider.'))
        return openModal(address.pathname, { ...look, ...options }, '3-D Secure', (message) =>
          message.type === 'action' ? message.status : undefined,
        ).catch(() => 'failed')
      },
      update(options) {
        look = { ...look, ...options }
        if (!card || !options.theme) return
        card.element.style.colorScheme = options.theme === 'system' ? '' : options.theme
        card.send({ type: 'theme', theme: options.theme })
      },
      focus: () => card?.send({ type: 'focus' }),
      unmount,
    }
    return pay
  }
})()

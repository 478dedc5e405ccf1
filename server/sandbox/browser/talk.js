const { parent, frame } = document.body.dataset

/** Tells the page around us, and nobody else. */
export function tell(type, data = {}) {
  if (parent && window.parent !== window)
    window.parent.postMessage({ source: 'brolga-pay', frame, type, ...data }, parent)
}

/** Listens to the page around us, and to nobody else. */
export function listen(handle) {
  window.addEventListener('message', (event) => {
    if (event.source !== window.parent || event.origin !== parent) return
    if (event.data?.source !== 'brolga-pay' || event.data.frame !== frame) return
    handle(event.data)
  })
}

export async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { isOk: response.ok, answer: await response.json() }
}

/** Keeps the frame as high as its content. */
export function reportHeight() {
  const root = document.getElementById('root')
  const report = () => tell('height', { height: Math.ceil(root.getBoundingClientRect().height) })
  new ResizeObserver(report).observe(root)
  report()
}

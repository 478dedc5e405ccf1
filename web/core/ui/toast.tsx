import { createStore } from '../store.ts'
import { unbroken } from './unbroken.tsx'

/** True from the first toast on. */
export const toastsWanted = createStore(false)

// Toasts come a moment after the first page: their code is fetched when the first one is shown.
type Kind = 'success' | 'error' | 'warning' | 'info' | 'default'

async function show(kind: Kind, message: string) {
  toastsWanted.set(true)
  const { toast: toastify } = await import('react-toastify/unstyled')
  // The toast is a row of boxes: the words stay in one, or the blanks around a number would go.
  const words = <span>{unbroken(message)}</span>
  if (kind === 'default') toastify(words)
  else toastify[kind](words)
}

/** `toast.success('Quote sent.')`. An error that matters must also stand in the page. */
export const toast = {
  success: (message: string) => void show('success', message),
  error: (message: string) => void show('error', message),
  warning: (message: string) => void show('warning', message),
  info: (message: string) => void show('info', message),
  default: (message: string) => void show('default', message),
}

/** A success with one thing to do about it: undo. */
export async function toastWithAction(message: string, label: string, onAction: () => void) {
  toastsWanted.set(true)
  const { toast: toastify } = await import('react-toastify/unstyled')
  toastify.success(({ closeToast }) => (
    <span className="row toast-row">
      <span>{unbroken(message)}</span>
      <button
        type="button"
        className="link"
        onClick={() => {
          onAction()
          closeToast()
        }}
      >
        {label}
      </button>
    </span>
  ))
}

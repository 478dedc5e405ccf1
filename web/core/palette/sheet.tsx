import './palette.css'
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { closeOverlay } from '../layout/overlays.ts'

/**
 * A window in the middle, over everything; Escape or a click beside it closes. The browser keeps the
 * focus inside and gives it back.
 */
export function Sheet({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  const box = useRef<HTMLDialogElement>(null)
  // In the same step as what is in it: no key comes in between.
  useLayoutEffect(() => {
    if (!box.current?.open) box.current?.showModal()
  }, [])
  useEffect(() => {
    const dialog = box.current
    return () => dialog?.close()
  }, [])
  return (
    // The keyboard closes with Escape.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={box}
      className={`sheet ${className}`}
      aria-label={label}
      onClose={closeOverlay}
      onClick={(event) => event.target === box.current && closeOverlay()}
    >
      {children}
    </dialog>
  )
}

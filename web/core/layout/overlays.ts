import { createStore } from '../store.ts'

/** What lies over the page: one thing at a time. */
export type Overlay = 'palette' | 'shortcuts' | 'customiser' | 'maintenance' | 'hold' | 'stored-files'

export const overlay = createStore<Overlay | null>(null)
export function openOverlay(name: Overlay) {
  typedAhead = ''
  overlay.set(name)
}
export const closeOverlay = () => overlay.set(null)

let typedAhead = ''
/** What somebody types before the field of the palette is there. */
export const typeAhead = (text: string) => {
  typedAhead += text
}
export function takeTypedAhead(): string {
  const text = typedAhead
  typedAhead = ''
  return text
}

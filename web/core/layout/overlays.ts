import { createStore } from '../store.ts'

/** What lies over the page: one thing at a time. */
export type Overlay = 'palette' | 'shortcuts' | 'customiser' | 'maintenance'

export const overlay = createStore<Overlay | null>(null)
export const openOverlay = (name: Overlay) => overlay.set(name)
export const closeOverlay = () => overlay.set(null)

import type { Refusal } from '../api/refusals.ts'
import { createStore } from '../store.ts'

/** Why somebody was sent to the login; the login page says it until it is left. */
export const notice = createStore<Refusal | 'ENDED' | 'BLOCKED' | null>(null)

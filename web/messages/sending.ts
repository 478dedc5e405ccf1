import type { Message } from '../../contract/messages.ts'

export const waiting: readonly Message['status'][] = ['draft', 'scheduled', 'queued', 'deferred']
export const notYetSent: readonly Message['status'][] = [...waiting, 'sending']

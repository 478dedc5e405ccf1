import type { ListedEvent } from '../../contract/event-log.ts'
import { eventValues } from '../../contract/events.ts'
import { phraseOr, type T } from '../core/i18n/i18n.ts'

/** Stands for what differs from one event to the next. */
const anything = '…'
const blanks = Object.fromEntries([...eventValues, 'amount'].map((value) => [value, anything]))

/** What an event is called whatever it happens to. */
export const eventName = (key: string): string => phraseOr(`timeline:what.${key}`, key, blanks)

/** Who did it: a user by name. */
export const doerText = (t: T, { by, byKind }: Pick<ListedEvent, 'by' | 'byKind'>): string =>
  by ?? (byKind === 'guest' ? t('timeline:byGuest') : t('timeline:bySystem'))

import type { ListedEvent } from '../../contract/event-log.ts'
import type { T } from '../core/i18n/i18n.ts'

/** Who did it: a user by name. */
export const doerText = (t: T, { by, byKind }: Pick<ListedEvent, 'by' | 'byKind'>): string =>
  by ?? (byKind === 'guest' ? t('timeline:byGuest') : t('timeline:bySystem'))

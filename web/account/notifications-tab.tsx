import { Switch } from '@mantine/core'
import { notificationsApi, type NotificationKind } from '../../contract/notifications.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'

type Choice = { kind: NotificationKind; isOn: boolean }

/** `quote.changes_requested` as phrases are called: `quoteChangesRequested`. */
type Phrase<Kind extends string> = Kind extends `${infer Noun}.${infer Event}`
  ? `${Words<Noun>}${Capitalize<Words<Event>>}`
  : Kind
type Words<Event extends string> = Event extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Words<Rest>>}`
  : Event

const phraseOf = (kind: NotificationKind) =>
  kind.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()) as Phrase<NotificationKind>

/** What one wants to hear of; saved as soon as it is chosen. */
export function NotificationsTab() {
  const t = useT('account')
  const text = useErrorText()
  const read = useRead(notificationsApi.preferences, {})
  const save = useWrite(notificationsApi.updatePreferences, {
    onSuccess: () => toast.success(t('account:saved')),
    onError: (error) => toast.error(text(error)),
  })
  const choose = (kinds: readonly Choice[], kind: NotificationKind, isOn: boolean) =>
    save.mutate({ kinds: kinds.map((choice) => (choice.kind === kind ? { kind, isOn } : choice)) })
  return (
    <Card title={t('account:notifications.title')}>
      <p className="muted no-margin">{t('account:notifications.text')}</p>
      <Loaded of={read}>
        {({ kinds }) => {
          // While it is being saved, what was chosen is shown.
          const shown = save.isPending ? save.variables.kinds : kinds
          return (
            <div className="notification-kinds">
              {shown.map(({ kind, isOn }) => (
                <Switch
                  key={kind}
                  label={t(`account:notifications.kinds.${phraseOf(kind)}.label`)}
                  description={t(`account:notifications.kinds.${phraseOf(kind)}.hint`)}
                  checked={isOn}
                  disabled={save.isPending}
                  onChange={(event) => choose(kinds, kind, event.currentTarget.checked)}
                />
              ))}
            </div>
          )
        }}
      </Loaded>
    </Card>
  )
}

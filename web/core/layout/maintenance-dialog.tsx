import { Button, Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import { formatPattern, instantAt, localDay } from '../../../contract/core/dates.ts'
import { maintenanceApi, type Maintenance } from '../../../contract/maintenance.ts'
import { useRead, useWrite } from '../api/hooks.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useFormat } from '../i18n/format.ts'
import { useT } from '../i18n/i18n.ts'
import { DateInput, TimeInput } from '../ui/date-input.tsx'
import { parseTime } from '../../../contract/core/times.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Loaded } from '../ui/states.tsx'
import { toast } from '../ui/toast.tsx'
import { closeOverlay, openOverlay } from './overlays.ts'

/** Begins and ends maintenance: meanwhile everybody but super users sees the message. */
export function MaintenanceDialog() {
  const t = useT('shell', 'common')
  const read = useRead(maintenanceApi.get, {}, { staleTime: 0 })
  return (
    <Dialog onClose={closeOverlay} title={t('shell:maintenance.manage')}>
      <Loaded of={read} lines={4}>
        {({ maintenance }) => <Form key={String(maintenance.isOn)} maintenance={maintenance} />}
      </Loaded>
      <button type="button" className="link" onClick={() => openOverlay('stored-files')}>
        {t('shell:storedFiles.title')}
      </button>
    </Dialog>
  )
}

/** Of a day for which no time is given. */
const lastMinute = 24 * 60 - 1

/** What the clocks of the business show: the day, and the minutes after midnight. */
const wallOf = (instant: string | null, zone: string) => ({
  day: instant ? localDay(instant, zone) : '',
  minutes: instant ? (parseTime(formatPattern(instant, 'H:i', { zone, locale: 'en' })) ?? null) : null,
})

function Form({ maintenance }: { maintenance: Maintenance }) {
  const t = useT('shell', 'common')
  const text = useErrorText()
  const [message, setMessage] = useState(maintenance.message)
  const { zone } = useFormat()
  const [{ day, minutes }, setUntil] = useState(() => wallOf(maintenance.until, zone))
  const set = useWrite(maintenanceApi.set, {
    onSuccess: ({ maintenance: { isOn } }) => {
      toast.success(isOn ? t('shell:maintenance.begun') : t('shell:maintenance.ended'))
      closeOverlay()
    },
  })
  const send = (isOn: boolean) =>
    set.mutate({ isOn, message, until: isOn && day ? instantAt(day, minutes ?? lastMinute, zone) : null })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        send(true)
      }}
    >
      <p className="no-margin">{maintenance.isOn ? t('shell:maintenance.isOn') : t('shell:maintenance.explained')}</p>
      <Textarea
        label={t('shell:maintenance.message')}
        placeholder={t('shell:maintenance.standard')}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        maxLength={400}
        autosize
        minRows={2}
      />
      <Group grow wrap="nowrap" align="flex-start">
        <DateInput
          label={t('shell:maintenance.until')}
          description={t('shell:maintenance.untilHint')}
          value={day}
          onChange={(next) => setUntil({ day: next, minutes })}
        />
        <TimeInput
          label={t('shell:maintenance.untilTime')}
          value={minutes}
          onChange={(next) => setUntil({ day, minutes: next })}
          disabled={!day}
        />
      </Group>
      {set.error ? (
        <p role="alert" className="field-error">
          {text(set.error)}
        </p>
      ) : null}
      <Group justify="flex-end" gap="sm">
        {maintenance.isOn ? (
          <>
            <Button type="submit" variant="default" loading={set.isPending}>
              {t('shell:maintenance.change')}
            </Button>
            <Button loading={set.isPending} onClick={() => send(false)}>
              {t('shell:maintenance.end')}
            </Button>
          </>
        ) : (
          <>
            <Button variant="default" onClick={closeOverlay}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" className="danger-button" loading={set.isPending}>
              {t('shell:maintenance.begin')}
            </Button>
          </>
        )}
      </Group>
    </form>
  )
}

import { Button, Group, Modal, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { maintenanceApi, type Maintenance } from '../../../contract/maintenance.ts'
import { useRead, useWrite } from '../api/hooks.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useT } from '../i18n/i18n.ts'
import { Loaded } from '../ui/states.tsx'
import { toast } from '../ui/toast.tsx'
import { closeOverlay } from './overlays.ts'

/** Begins and ends maintenance: meanwhile everybody but super users sees the message. */
export function MaintenanceDialog() {
  const t = useT('shell', 'common')
  const read = useRead(maintenanceApi.get, {}, { staleTime: 0 })
  return (
    <Modal opened onClose={closeOverlay} title={t('shell:maintenance.manage')} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <Loaded of={read} lines={4}>
        {({ maintenance }) => <Form key={String(maintenance.isOn)} maintenance={maintenance} />}
      </Loaded>
    </Modal>
  )
}

const localNow = (instant: string | null) => {
  if (!instant) return ''
  const date = new Date(instant)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function Form({ maintenance }: { maintenance: Maintenance }) {
  const t = useT('shell', 'common')
  const text = useErrorText()
  const [message, setMessage] = useState(maintenance.message)
  const [until, setUntil] = useState(localNow(maintenance.until))
  const set = useWrite(maintenanceApi.set, {
    onSuccess: ({ maintenance: { isOn } }) => {
      toast.success(isOn ? t('shell:maintenance.begun') : t('shell:maintenance.ended'))
      closeOverlay()
    },
  })
  const send = (isOn: boolean) => set.mutate({ isOn, message, until: isOn && until ? new Date(until).toISOString() : null })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        send(true)
      }}
    >
      <p className="no-margin">{maintenance.isOn ? t('shell:maintenance.isOn') : t('shell:maintenance.explained')}</p>
      <Textarea label={t('shell:maintenance.message')} placeholder={t('shell:maintenance.standard')} value={message} onChange={(event) => setMessage(event.currentTarget.value)} maxLength={400} autosize minRows={2} />
      <TextInput type="datetime-local" label={t('shell:maintenance.until')} description={t('shell:maintenance.untilHint')} value={until} onChange={(event) => setUntil(event.currentTarget.value)} />
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

import { UnstyledButton } from '@mantine/core'
import { useEffect } from 'react'
import { businessesApi } from '../../../contract/businesses.ts'
import { workIn } from '../api/business.ts'
import { useCan } from '../api/can.ts'
import { useRead, useRun } from '../api/hooks.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useT } from '../i18n/i18n.ts'
import { Dropdown } from '../ui/dropdown.tsx'
import { Icon } from '../ui/icon.tsx'
import { toast } from '../ui/toast.tsx'

const buttonId = 'business-switch'
const hasRecord = (path: string) => /[0-9a-f]{8}-[0-9a-f]{4}-/.test(path)

/** Alt+B opens the choice from anywhere, also while something is typed. */
function useKey(isOn: boolean) {
  useEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent) => {
      // The letter where the key stands: on some keyboards Alt makes another one of it.
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyB') return
      event.preventDefault()
      const button = document.getElementById(buttonId)
      button?.focus()
      button?.click()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOn])
}

/** The business of this window, and the others one works in; where there is one alone, there is nothing to choose. */
export function BusinessMenu() {
  const t = useT('shell')
  const text = useErrorText()
  const run = useRun()
  const may = useCan(businessesApi.current)
  const { data } = useRead(businessesApi.current, {}, { enabled: may })
  const isOffered = (data?.businesses.length ?? 0) > 1
  useKey(isOffered)
  if (!data || !isOffered) return null
  const { business, businesses } = data
  const choose = async (guid: string) => {
    try {
      await run(businessesApi.choose, { guid })
      workIn(guid)
      // Everything that was read is the other business's; a record of it has no place here.
      if (hasRecord(location.pathname)) location.assign('/')
      else location.reload()
    } catch (error) {
      toast.error(text(error))
    }
  }
  const label = t('shell:business.label', { name: business.name })
  return (
    <Dropdown
      button={(props) => (
        <UnstyledButton
          {...props}
          id={buttonId}
          className="business-button"
          aria-label={label}
          aria-keyshortcuts="Alt+B"
          title={t('shell:business.hint', { name: business.name, keys: 'Alt+B' })}
        >
          <span className="business-mark" style={{ background: business.primaryColour }} aria-hidden="true" />
          <span className="business-name">{business.name}</span>
          <Icon name="down" size={18} />
        </UnstyledButton>
      )}
    >
      {(close) =>
        businesses.map(({ guid, name, legalName, primaryColour }) => (
          <button
            key={guid}
            type="button"
            className="menu-entry"
            aria-pressed={guid === business.guid}
            onClick={() => {
              close()
              if (guid !== business.guid) void choose(guid)
            }}
          >
            <span className="business-mark" style={{ background: primaryColour }} aria-hidden="true" />
            <span className="business-entry">
              <span>{name}</span>
              {legalName === name ? null : <span className="muted small">{legalName}</span>}
            </span>
          </button>
        ))
      }
    </Dropdown>
  )
}

import { UnstyledButton } from '@mantine/core'
import { useLayoutEffect } from 'react'
import { useT } from '../i18n/i18n.ts'
import { Dropdown } from '../ui/dropdown.tsx'
import { Icon } from '../ui/icon.tsx'
import { BusinessMark } from './business-mark.tsx'
import { useBusinesses } from './use-businesses.ts'

const buttonId = 'business-switch'
const hasRecord = (path: string) => /[0-9a-f]{8}-[0-9a-f]{4}-/.test(path)

/** Alt+B opens the choice from anywhere, also while something is typed. */
function useKey(isOn: boolean) {
  // As soon as the button is there: an effect after the painting would miss whoever is quick.
  useLayoutEffect(() => {
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

/** The business of this window, the others one works in, and all of them together. */
export function BusinessMenu() {
  const t = useT('shell')
  const own = useBusinesses()
  useKey(own !== null)
  if (!own) return null
  const { business, businesses, isEverywhere, choose, chooseAll } = own
  const colours = businesses.map(({ primaryColour }) => primaryColour)
  const name = isEverywhere ? t('shell:business.all') : business.name
  // A record of the former business has no place in another one; among all of them it has.
  const onlyIn = (guid: string) => choose(guid, hasRecord(location.pathname) ? '/' : undefined)
  return (
    <Dropdown
      button={(props) => (
        <UnstyledButton
          {...props}
          id={buttonId}
          className="business-button"
          aria-label={t('shell:business.label', { name })}
          aria-keyshortcuts="Alt+B"
          title={t('shell:business.hint', { name, keys: 'Alt+B' })}
        >
          <BusinessMark colours={isEverywhere ? colours : [business.primaryColour]} />
          <span className="business-name">{name}</span>
          <Icon name="down" size={18} />
        </UnstyledButton>
      )}
    >
      {(close) => (
        <>
          <button
            type="button"
            className="menu-entry"
            aria-pressed={isEverywhere}
            onClick={() => {
              close()
              if (!isEverywhere) chooseAll()
            }}
          >
            <BusinessMark colours={colours} />
            {t('shell:business.all')}
          </button>
          <hr className="menu-line" />
          {businesses.map(({ guid, name: called, legalName, primaryColour }) => (
            <button
              key={guid}
              type="button"
              className="menu-entry"
              aria-pressed={!isEverywhere && guid === business.guid}
              onClick={() => {
                close()
                if (isEverywhere || guid !== business.guid) void onlyIn(guid)
              }}
            >
              <BusinessMark colours={[primaryColour]} />
              <span className="business-entry">
                <span>{called}</span>
                {legalName === called ? null : <span className="muted small">{legalName}</span>}
              </span>
            </button>
          ))}
        </>
      )}
    </Dropdown>
  )
}

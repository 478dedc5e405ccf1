import { readStored, writeStored } from '../storage.ts'
import { createStore } from '../store.ts'

/** Shortcuts of plain letters can be turned off: they get in the way of speech input. */
export const letterKeys = createStore(readStored<boolean>('letterKeys')?.value !== false)
export function setLetterKeys(isOn: boolean) {
  letterKeys.set(isOn)
  writeStored('letterKeys', isOn)
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** How the palette's own shortcut is written on this machine. */
export const paletteKeys = isMac ? ['⌘', 'K'] : ['Ctrl', 'K']
export const saveKeys = isMac ? ['⌘', 'S'] : ['Ctrl', 'S']
export const closeKey = 'Esc'

/** The letter of a key, also on keyboards that write other letters. */
export const letterOf = (event: KeyboardEvent): string =>
  /^[a-z?]$/i.test(event.key) ? event.key.toLowerCase() : (/^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase() ?? '')

/** Whether the person is writing: then letters are letters. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.closest(
      'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, ' +
        '[role=textbox], [role=combobox], [role=listbox]',
    ) !== null
  )
}

import { useEffect, useEffectEvent, useState } from 'react'

const filesOf = (data: DataTransfer | null): File[] => [...(data?.files ?? [])]
const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false
/** Nothing is said when a drag leaves the window; it is over when it was not heard of for so long. */
const quietMs = 250

/** Takes files that are dropped anywhere on the page or pasted; true while some are held over it. */
export function useDrop(isOn: boolean, onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent((files: File[]) => {
    if (files.length > 0) onFiles(files)
  })
  useEffect(() => {
    if (!isOn) return
    let quiet: ReturnType<typeof setTimeout> | undefined
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
      clearTimeout(quiet)
      quiet = setTimeout(() => setOver(false), quietMs)
    }
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      clearTimeout(quiet)
      setOver(false)
      take(filesOf(event.dataTransfer))
    }
    const onPaste = (event: ClipboardEvent) => {
      const files = filesOf(event.clipboardData)
      if (files.length === 0 || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      take(files)
    }
    window.addEventListener('dragover', onOver)
    window.addEventListener('drop', onDrop)
    window.addEventListener('paste', onPaste)
    return () => {
      clearTimeout(quiet)
      window.removeEventListener('dragover', onOver)
      window.removeEventListener('drop', onDrop)
      window.removeEventListener('paste', onPaste)
    }
  }, [isOn])
  return isOver
}

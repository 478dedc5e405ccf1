import { Loader } from '@mantine/core'
import { type DragEvent, useRef, useState } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Icon } from '../core/ui/icon.tsx'

const accepted = '.csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values'

/** Opens the window that chooses a file. */
export function FileButton({
  label,
  variant,
  isBusy,
  onFile,
}: {
  label: string
  variant?: 'filled' | 'default'
  isBusy: boolean
  onFile: (file: File) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accepted}
        hidden
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          // The same name again is another file: it has been corrected.
          event.currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
      <ActionButton
        icon="attachment"
        variant={variant ?? 'filled'}
        loading={isBusy}
        onClick={() => input.current?.click()}
      >
        {label}
      </ActionButton>
    </>
  )
}

/** What went wrong with the file, in a sentence. */
export function FileProblem({ problem }: { problem: string | null }) {
  return problem === null ? null : (
    <p className="import-problem" role="alert">
      <Icon name="warning" size={18} />
      <span>{problem}</span>
    </p>
  )
}

interface FileStepProps {
  problem: string | null
  /** The name of the file that is being read. */
  reading: string | null
  onFile: (file: File) => void
}

export function FileStep({ problem, reading, onFile }: FileStepProps) {
  const t = useT('imports')
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file && reading === null) onFile(file)
  }
  return (
    <div className="card-body stack">
      <FileProblem problem={problem} />
      <div
        className="import-drop"
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {reading === null ? (
          <>
            <h2 className="card-title">{t('imports:file.drop')}</h2>
            <p className="muted">{t('imports:file.limits')}</p>
            <FileButton label={t('imports:file.choose')} isBusy={false} onFile={onFile} />
          </>
        ) : (
          <p className="row" role="status">
            <Loader size="sm" />
            {t('imports:file.reading', { name: reading })}
          </p>
        )}
      </div>
    </div>
  )
}

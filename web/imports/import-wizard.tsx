import { useState } from 'react'
import { type CustomerImport, type ImportPreview, importsApi } from '../../contract/imports.ts'
import { pathOf } from '../../contract/nouns.ts'
import { request } from '../core/api/client.ts'
import { asApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { useGo } from '../core/ui/params.ts'
import { CheckStep } from './check-step.tsx'
import { ColumnsStep } from './columns-step.tsx'
import { FileStep } from './file-step.tsx'
import { ImportSteps, type Step } from './import-steps.tsx'
import { readUpload, type Upload } from './read-upload.ts'

const maxBytes = 5 * 1024 * 1024
const tooLarge = 'This file is larger than 5 MB. Split it into smaller files.'

export type SentMapping = ImportPreview['mapping']
type OnDuplicate = CustomerImport['onDuplicate']

/** File, Columns, Check: everything before an import begins. */
export function ImportWizard() {
  const text = useErrorText()
  const go = useGo()
  const [step, setStep] = useState<Step>('file')
  const [upload, setUpload] = useState<Upload | null>(null)
  const [preview, setPreview] = useState<ImportPreview | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [reading, setReading] = useState<string | null>(null)
  const [onDuplicate, setOnDuplicate] = useState<OnDuplicate>('skip')
  const create = useWrite(importsApi.create)

  /** What is wrong with the file itself says more than that something is. */
  const sentenceOf = (error: unknown) => asApiError(error).errors[0]?.message ?? text(error)
  const ask = async (file: Upload, mapping: SentMapping | undefined, next: Step) => {
    setReading(file.fileName)
    setProblem(null)
    try {
      setPreview(await request(importsApi.preview, { ...file, ...(mapping ? { mapping } : {}) }))
      setUpload(file)
      setStep(next)
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    setReading(null)
  }
  const take = async (file: File, mapping?: SentMapping) => {
    if (file.size > maxBytes) return setProblem(inLanguage(tooLarge))
    const read = await readUpload(file).catch(() => null)
    if (read) await ask(read, mapping, mapping ? 'check' : 'columns')
  }
  const start = async (file: Upload, mapping: SentMapping) => {
    setProblem(null)
    try {
      const { import: made } = await create.mutateAsync({ ...file, mapping, onDuplicate })
      await go(`${pathOf('Imports', 'import')}?import=${made.guid}`)
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }

  return (
    <section className="card">
      <ImportSteps now={step} />
      {step === 'file' || !upload || !preview ? (
        <FileStep problem={problem} reading={reading} onFile={(file) => void take(file)} />
      ) : step === 'columns' ? (
        <ColumnsStep
          key={upload.base64.length + upload.fileName}
          fileName={upload.fileName}
          preview={preview}
          problem={problem}
          isBusy={reading !== null}
          onBack={() => setStep('file')}
          onNext={(mapping) => void ask(upload, mapping, 'check')}
        />
      ) : (
        <CheckStep
          preview={preview}
          problem={problem}
          reading={reading}
          isBusy={create.isPending}
          onDuplicate={onDuplicate}
          setOnDuplicate={setOnDuplicate}
          onBack={() => setStep('columns')}
          onFile={(file) => void take(file, preview.mapping)}
          onImport={() => void start(upload, preview.mapping)}
        />
      )}
    </section>
  )
}

import type { PdfReply, PdfRequest } from './pdf.ts'

// The templates are read from disk with the first document, so that an idle start stays quick.
const templates = () => import('../../documents/render.ts')

const reply = (answer: PdfReply) => void process.send?.(answer)

process.on('message', (message) => {
  const { id, job } = message as PdfRequest
  templates()
    .then(({ renderDocument }) => renderDocument(job))
    .then((bytes) => reply({ id, bytes }))
    .catch((error: unknown) => reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }))
})

// The server is gone: nobody waits for anything any more.
process.on('disconnect', () => process.exit(0))

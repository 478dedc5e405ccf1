import type { PdfReply, PdfRequest } from '../core/adapters/pdf.ts'
import { renderDocument } from './render.ts'

/** The program of the document worker: a job comes in, a PDF goes out, and nothing else is ever asked of it. */
const reply = (answer: PdfReply) => void process.send?.(answer)

process.on('message', (message) => {
  const { id, job } = message as PdfRequest
  renderDocument(job)
    .then((bytes) => reply({ id, bytes }))
    .catch((error: unknown) =>
      reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
})

// The server is gone: nobody waits for anything any more.
process.on('disconnect', () => process.exit(0))

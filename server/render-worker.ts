import type { RenderJob, RenderReply, RenderRequest } from './core/adapters/renderer.ts'

/**
 * The program of the render worker: a job comes in, a PDF, the HTML of a mail or a smaller picture goes out, and
 * nothing else is ever asked of it. Each is read with the first of its kind.
 */
const render = async (job: RenderJob): Promise<Uint8Array> => {
  if (job.template === 'mail') return (await import('./messages/layout.ts')).renderMail(job)
  if (job.template === 'picture') return (await import('./files/draw.ts')).drawPicture(job)
  if (job.template === 'statement') return (await import('./documents/render-statement.ts')).renderStatement(job)
  return (await import('./documents/render.ts')).renderDocument(job)
}

const reply = (answer: RenderReply) => void process.send?.(answer)

process.on('message', (message) => {
  const { id, job } = message as RenderRequest
  render(job)
    .then((bytes) => reply({ id, bytes }))
    .catch((error: unknown) =>
      reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
})

// The server is gone: nobody waits for anything any more.
process.on('disconnect', () => process.exit(0))

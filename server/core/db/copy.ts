import { once } from 'node:events'
import type { Socket } from 'node:net'
import { PassThrough, type Readable } from 'node:stream'
import type pg from 'pg'

/** The part of pg's connection that COPY needs and its types leave out. */
interface CopyConnection {
  stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}
interface Messages {
  onIn?: (connection: CopyConnection) => void
  onData?: (chunk: Buffer, connection: CopyConnection) => void
}

/** pg hands every message of the server to the object that sent the statement; this one understands those of COPY. */
const run = (db: pg.ClientBase, text: string, { onIn, onData }: Messages): Promise<number> =>
  new Promise((done, fail) => {
    let rows = 0
    const ignore = () => undefined
    const statement = {
      submit: (connection: unknown) => (connection as CopyConnection).query(text),
      handleError: fail,
      handleCommandComplete: ({ text: tag }: { text: string }) => (rows = Number(tag.split(' ')[1])),
      handleReadyForQuery: () => done(rows),
      handleCopyInResponse: (connection: CopyConnection) => onIn?.(connection),
      handleCopyData: ({ chunk }: { chunk: Buffer }, connection: CopyConnection) => onData?.(chunk, connection),
      handleRowDescription: ignore,
      handleDataRow: ignore,
      handleEmptyQuery: ignore,
      handlePortalSuspended: ignore,
    }
    db.query(statement as pg.Submittable)
  })

/** Runs a `copy … to stdout`; the text comes out of the stream, the number of rows out of the promise. */
export const copyOut = (db: pg.ClientBase, text: string): { rows: Promise<number>; stream: Readable } => {
  const stream = new PassThrough({ highWaterMark: 1 << 20 })
  const onData = (chunk: Buffer, connection: CopyConnection) => {
    // The parser uses its buffer again, so the chunk is copied.
    if (stream.write(Buffer.from(chunk))) return
    connection.stream.pause()
    stream.once('drain', () => connection.stream.resume())
  }
  const rows = run(db, text, { onData })
  rows.then(
    () => stream.end(),
    (error: Error) => stream.destroy(error),
  )
  return { rows, stream }
}

/** Runs a `copy … from stdin` with what comes out of the stream and answers the number of rows. */
export const copyIn = (db: pg.ClientBase, text: string, source: Readable): Promise<number> => {
  const feed = async (connection: CopyConnection) => {
    try {
      for await (const chunk of source) {
        connection.sendCopyFromChunk(chunk as Buffer)
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
      }
      connection.endCopyFrom()
    } catch (error) {
      connection.sendCopyFail(error instanceof Error ? error.message : String(error))
    }
  }
  return run(db, text, { onIn: (connection) => void feed(connection) })
}

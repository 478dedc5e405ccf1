import type { S3mini } from 's3mini'
import type { BucketPlace } from '../files-url.ts'
import { type FileStore, hashOf, hashPattern, unreachable } from './files.ts'

export interface S3Access extends BucketPlace {
  accessKey: string
  secretKey: string
}

/** All tries of one call end within what a request may take. */
const wholeMs = 8_000
const pausesMs = [200, 1_000] as const

const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
const isRefusal = (error: unknown) =>
  error instanceof Error &&
  'status' in error &&
  typeof error.status === 'number' &&
  error.status < 500 &&
  ![408, 429].includes(error.status)

/** The bytes are not those of their name: the way there may have damaged them, so they are asked for again. */
class Damaged extends Error {}

/** Files in a bucket, named by their hash. */
export function makeS3(access: S3Access): FileStore {
  const loading = () => import('s3mini')
  const keyOf = (sha256: string) => `${access.prefix}${sha256}`

  /** A client whose calls, bodies included, end with the signal. */
  const clientFor = async (signal: AbortSignal): Promise<S3mini> => {
    const { S3mini: Client } = await loading()
    return new Client({
      accessKeyId: access.accessKey,
      secretAccessKey: access.secretKey,
      endpoint: access.bucketUrl,
      region: access.region,
      fetch: (input, init) => fetch(input, { ...init, signal }),
    })
  }

  /** A try gets half of the time that is left, the last one all of it: one that stalls leaves some to the next. */
  async function trying<T>(run: (client: S3mini) => Promise<T>): Promise<T> {
    const end = performance.now() + wholeMs
    for (let failed = 0; ; failed++) {
      const left = end - performance.now()
      const pause = pausesMs[failed]
      try {
        return await run(await clientFor(AbortSignal.timeout(Math.ceil(pause === undefined ? left : left / 2))))
      } catch (error) {
        if (pause === undefined || isRefusal(error) || end - performance.now() <= pause) throw error
        await wait(pause)
      }
    }
  }

  const readOnce = async (client: S3mini, sha256: string) => {
    const body = await client.getObjectArrayBuffer(keyOf(sha256))
    if (body === null) return null
    const bytes = new Uint8Array(body)
    if (hashOf(bytes) !== sha256) throw new Damaged(`The bytes of ${sha256} are not what they were.`)
    return bytes
  }

  const reached = <T>(work: Promise<T>): Promise<T> =>
    work.catch((cause: unknown) => {
      throw unreachable(cause)
    })

  return {
    put: async (bytes, mime) => {
      const sha256 = hashOf(bytes)
      // The store is told the hash of what it gets, so that it refuses what was damaged on the way.
      const told = { 'x-amz-content-sha256': sha256 } as const
      const body = new Uint8Array(bytes)
      await reached(trying((client) => client.putObject(keyOf(sha256), body, mime, undefined, told)))
      return { sha256 }
    },
    get: async (sha256) => {
      if (!hashPattern.test(sha256)) return null
      const reading = trying((client) => readOnce(client, sha256)).catch((error: unknown) => {
        if (error instanceof Damaged) return null
        throw error
      })
      return reached(reading)
    },
    remove: async (sha256) => {
      if (hashPattern.test(sha256)) await reached(trying((client) => client.deleteObject(keyOf(sha256))))
    },
  }
}

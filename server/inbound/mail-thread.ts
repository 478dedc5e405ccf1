import { parentPort, workerData } from 'node:worker_threads'
import { parseMail } from './parse-mail.ts'

/** The program of the thread that reads a mail: its bytes come in, what it says goes out, nothing else is asked. */
const read = async (): Promise<void> => {
  // What it is made of is loaded: from now on its time counts.
  parentPort?.postMessage({ isReady: true })
  try {
    parentPort?.postMessage({ mail: await parseMail(workerData as Uint8Array) })
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) })
  }
}
void read()

import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../../contract/core/errors.ts'

/** argon2id as OWASP recommends it: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const mostAtOnce = Math.max(2, Math.min(4, availableParallelism()))
const mostWaiting = 200

let running = 0
const waiting: (() => void)[] = []

/** Hashing takes memory and a thread each: a bounded number at once, a bounded queue behind. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= mostAtOnce) {
    if (waiting.length >= mostWaiting) throw new AppError('OVERLOADED')
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** Two keyboards may spell the same letters differently. */
const spelled = (password: string) => password.normalize('NFKC')

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(spelled(password), cost))

let decoy: Promise<string> | null = null
/** Makes the hash that unknown users are checked against before anybody needs it. */
export const warmPasswords = () => (decoy ??= hash('nobody has this password', cost))

/** The same work for users that do not exist or have no password. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const against = stored ?? (await warmPasswords())
  const isRight = await inTurn(() => verify(against, spelled(password)))
  return isRight && stored !== null
}

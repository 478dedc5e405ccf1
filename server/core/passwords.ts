import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { makeTurns } from './turns.ts'

/** argon2id as OWASP recommends it: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Hashing takes memory and a thread each: a bounded number at once, a bounded queue behind. */
const inTurn = makeTurns({ atOnce: Math.max(2, Math.min(4, availableParallelism())), maxWaiting: 200 })

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

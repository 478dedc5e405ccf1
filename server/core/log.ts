import { mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Settings } from './env.ts'

const levels = { fatal: 60, error: 50, warn: 40, info: 30, debug: 20, trace: 10, silent: Infinity } as const
export type LogLevel = keyof typeof levels

/** Names whose values never reach a log line, wherever they stand. */
const secretName = /authorization|password|secret|token|cookie|^key$|signature/i
const longest = 4000

const plain = (value: unknown, depth = 0): unknown => {
  if (value instanceof Error) return ofError(value, depth)
  if (typeof value === 'string') return value.length > longest ? `${value.slice(0, longest)}…` : value
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (depth > 4) return '…'
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => plain(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, secretName.test(name) ? '***' : plain(item, depth + 1)]),
  )
}

const ofError = (error: Error, depth: number): Record<string, unknown> => ({
  type: error.name,
  message: error.message,
  ...('code' in error ? { code: error.code } : {}),
  ...('constraint' in error ? { constraint: error.constraint } : {}),
  stack: error.stack,
  ...(error.cause === undefined || depth > 3 ? {} : { cause: plain(error.cause, depth + 1) }),
})

type Bindings = Record<string, unknown>

/** One JSON line per event, times in UTC, secrets masked. */
export function makeLog(
  level: LogLevel,
  bindings: Bindings = {},
  write: (line: string) => void = (line) => void process.stdout.write(line),
): FastifyBaseLogger {
  const at = (name: Exclude<LogLevel, 'silent'>) => {
    if (levels[name] < levels[level]) return () => undefined
    return (first: unknown, message?: string) => {
      const [data, text] =
        typeof first === 'string' ? [{}, first] : [first instanceof Error ? { err: first } : first, message]
      const facts = plain(data) as Bindings
      const line = { level: name, time: new Date().toISOString(), ...bindings, ...facts, msg: text }
      write(`${JSON.stringify(line)}\n`)
    }
  }
  const log = {
    level,
    fatal: at('fatal'),
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    trace: at('trace'),
    silent: () => undefined,
    child: (more: Bindings) => makeLog(level, { ...bindings, ...more }, write),
  }
  return log as unknown as FastifyBaseLogger
}

/** The log of a process: standard output, but a file in the demo, whose terminal stays readable. */
export function openLog({
  mode,
  dataDir,
  logLevel,
}: Pick<Settings, 'mode' | 'dataDir' | 'logLevel'>): FastifyBaseLogger {
  if (mode !== 'demo') return makeLog(logLevel)
  mkdirSync(join(dataDir, 'logs'), { recursive: true })
  const file = openSync(join(dataDir, 'logs', 'brolga.log'), 'a', 0o600)
  return makeLog(logLevel, {}, (line) => void writeSync(file, line))
}

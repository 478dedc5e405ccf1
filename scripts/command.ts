import { SettingsError } from '../server/core/env.ts'

/** Runs a command of the terminal: what the person can mend is told in one sentence, and a failure ends with 1. */
export const command = async (work: () => Promise<void>) => {
  try {
    await work()
  } catch (error) {
    console.error(error instanceof SettingsError ? error.message : error)
    process.exitCode = 1
  }
}

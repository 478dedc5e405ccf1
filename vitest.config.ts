import { defineConfig } from 'vitest/config'

const shared = {
  pool: 'forks' as const,
  // What proves goes on until it is through: a random life of a hundred steps takes its time beside something else.
  testTimeout: process.env.PROVE ? 900_000 : 90_000,
  hookTimeout: 120_000,
  // What is waited for comes, also on a machine that stalls.
  expect: { poll: { timeout: 60_000 } },
  globalSetup: ['test/support/global-setup.ts'],
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: 'business',
          // The application is loaded once a worker, not once a file; a file that needs it otherwise starts a process.
          isolate: false,
          include: [
            'contract/**/*.test.ts',
            'server/**/*.test.ts',
            'web/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
            'test/matrix/**/*.test.ts',
            'test/attacks/**/*.test.ts',
          ],
        },
      },
      // Killed processes, silent providers, two servers on one database: few of each in `npm
      // test`, many in `npm run prove`.
      {
        test: {
          ...shared,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 900_000,
          fileParallelism: false,
        },
      },
    ],
  },
})

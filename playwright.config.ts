import { defineConfig, devices } from '@playwright/test'
import { ownBrowser } from './scripts/browser.ts'
import { address, productEnv } from './scripts/journeys.ts'

const browser = ownBrowser()
/** Of the sample logins. */
process.env.DEMO_PASSWORD ??= productEnv.DEMO_PASSWORD

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  // What a machine that stalls still keeps: no wait is over before it has what it waits for, so patience costs nothing.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // Each test for itself, so that all workers end together. A third worker on two cores made journeys wait for each
  // other until some gave up.
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    baseURL: address,
    locale: 'en-AU',
    timezoneId: 'Australia/Sydney',
    // Nothing is waited for that moves; what is about movement asks for it.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    // Recording makes everything slower; what a failed page showed is kept in words in any case.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-gpu-compositing',
        '--disable-background-networking',
        // The pages of a context share what was compiled for the first of them.
        '--process-per-site',
      ],
    },
  },
  webServer: {
    command: 'node scripts/run.mjs demo',
    url: `${address}/health/live`,
    env: productEnv,
    timeout: 180_000,
    reuseExistingServer: true,
    // It stops its database and its sandbox itself; killed outright it would leave them.
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
  },
})

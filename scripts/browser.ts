import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { runsAsRoot } from '../server/core/data-dir.ts'

/** It has no windows of its own to draw, and takes half of the time of the others. */
const headless = '/usr/bin/chromium-headless-shell'
const known = [headless, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A browser of the machine, or null. */
export const ownBrowser = () => [process.env.CHROMIUM_PATH, ...known].find((path) => path && existsSync(path)) ?? null

const shell = async (text: string) => {
  const child = spawn('sh', ['-c', text], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return (await new Promise<number | null>((done) => child.once('close', done))) === 0
}

/**
 * Sees to it that there is a browser for the journeys, and tells Playwright where. Where there is another one already,
 * the quicker one is installed if that can be done; nothing is waited for long.
 */
export const ensureBrowser = async (): Promise<boolean> => {
  const hasAny = ownBrowser() !== null
  const isChosen = process.env.CHROMIUM_PATH !== undefined || existsSync(headless)
  if (!isChosen && runsAsRoot() && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium from Debian (once) …')
    const apt = `apt-get -qq${hasAny ? ' -o Acquire::Retries=0 -o Acquire::http::Timeout=15' : ''}`
    const install = `${apt} install -y --no-install-recommends`
    await shell(`${apt} update && (${install} chromium-headless-shell${hasAny ? '' : ` || ${install} chromium`})`)
  }
  const found = ownBrowser()
  if (found) {
    process.env.CHROMIUM_PATH = found
    console.log(found)
    return true
  }
  if (!existsSync(chromium.executablePath())) {
    console.log('Downloading Chromium (once) …')
    await shell('node_modules/.bin/playwright install chromium')
  }
  if (existsSync(chromium.executablePath())) return true
  console.error('There is no Chromium and it could not be installed; install one and set CHROMIUM_PATH to it.')
  return false
}

// The one door of every command: `node scripts/run.mjs demo`. Plain JavaScript without packages, because it runs on the
// Node that happens to be there and with an empty node_modules. It installs what is missing and hands over to the Node
// that came with the packages.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import module from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const stamp = join(modules, '.installed')
const installLock = join(root, '.tmp', 'install.lock')
const bundledNode = join(modules, '.bin', 'node')

const fail = (sentence) => {
  console.error(sentence)
  process.exit(1)
}
const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))

const [, , name = '', ...given] = process.argv
const rest = given[0] === '--' ? given.slice(1) : given
const script = name === 'bench' ? join(root, 'bench', 'run.ts') : join(root, 'scripts', `${name}.ts`)
if (!/^[a-z-]+$/.test(name) || !existsSync(script))
  fail(`There is no command "${name}"; package.json lists those there are.`)
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`Node ${process.versions.node} is too old to install Brolga; use Node 20 or newer.`)

const lockText = readFileSync(join(root, 'package-lock.json'))
const wanted = `${createHash('sha256').update(lockText).digest('hex')} ${process.platform} ${process.arch}`
const isStamped = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && existsSync(bundledNode)

/** Packages that somebody installed by hand are as good: npm leaves a list of what it put there. */
const isInstalledByHand = () => {
  try {
    const there = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')).packages
    const asked = JSON.parse(lockText.toString()).packages
    return (
      existsSync(bundledNode) &&
      Object.entries(asked).every(
        ([path, entry]) =>
          path === '' || (there[path] ? there[path].version === entry.version : entry.optional || entry.extraneous),
      )
    )
  } catch {
    return false
  }
}

const checkPlatform = () => {
  const { platform, arch } = process
  if (platform === 'win32') fail('Brolga runs on Linux and macOS; on Windows, start it inside WSL.')
  if (!['linux', 'darwin'].includes(platform) || !['x64', 'arm64'].includes(arch))
    fail(`Brolga has no runtime for ${platform} on ${arch}; use Linux or macOS on x64 or arm64.`)
  if (platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime)
    fail('Brolga needs a Linux with glibc, such as Debian; this one (Alpine?) has another C library.')
}

/** The npm that started us, or the one on the path, run by a Node that the installation does not replace. */
const npmCommand = () => {
  const path = (process.env.PATH || '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  const npm = path.map((folder) => join(folder, 'npm')).find((file) => existsSync(file))
  return npm && { npm, env: { ...process.env, PATH: path.join(delimiter) } }
}

const quiet = ['--loglevel=error', '--no-fund', '--no-audit', '--no-update-notifier', '--no-progress']
const install = async () => {
  const command = npmCommand()
  if (!command)
    fail('npm was not found, and the packages are not installed; install Node with npm, or run "npm ci" where it is.')
  console.log('Installing the packages (once, about a minute) …')
  const child = spawn(command.npm, ['ci', '--ignore-scripts', '--include=dev', '--include=optional', ...quiet], {
    cwd: root,
    env: command.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // Should this process be killed, the next start waits for this npm.
  writeFileSync(installLock, String(child.pid))
  const stop = () => {
    child.kill()
    child.once('close', () => process.exit(130))
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)
  let told = ''
  child.stderr.on('data', (data) => (told = (told + data).slice(-4000)))
  const code = await new Promise((done) => child.on('error', () => done(-1)).on('close', done))
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop)
  if (code !== 0)
    fail(
      [
        ...(told.trim() ? [told.trim()] : []),
        'The packages could not be installed; see above, check the network and the free space, and start again.',
      ].join('\n'),
    )
  if (!existsSync(bundledNode))
    fail(`The packages are installed, but there is no runtime for ${process.platform} on ${process.arch} among them.`)
}

/** Held by touching it every second: one that nobody touches belongs to a process that is gone. */
const underInstallLock = async (work) => {
  const lock = installLock
  mkdirSync(dirname(lock), { recursive: true })
  const mine = `${lock}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  for (let told = false; ; await sleep(200)) {
    try {
      linkSync(mine, lock)
      break
    } catch (error) {
      if (error.code !== 'EEXIST')
        fail(`The folder ${root} cannot be written, so the packages cannot be installed: ${error.message}`)
    }
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > 15_000 && !isAlive(lock)) renameAway(lock)
    else if (!told) {
      console.log('Waiting for another start to install the packages …')
      told = true
    }
  }
  const touch = setInterval(() => utimesSync(lock, new Date(), new Date()), 1000)
  const release = () => {
    clearInterval(touch)
    for (const file of [lock, mine]) rmSync(file, { force: true })
  }
  process.once('exit', release)
  await work()
  process.off('exit', release)
  release()
}
/** Whether the npm that the lock names still works. */
const isAlive = (lock) => {
  try {
    return process.kill(Number(readFileSync(lock, 'utf8')), 0)
  } catch {
    return false
  }
}
const renameAway = (lock) => {
  try {
    renameSync(lock, `${lock}.stale`)
    rmSync(`${lock}.stale`, { force: true })
  } catch {
    // Another waiting start was quicker.
  }
}

const ensureInstalled = async () => {
  if (isStamped()) return
  if (!isInstalledByHand()) {
    checkPlatform()
    await underInstallLock(async () => {
      if (!isStamped() && !isInstalledByHand()) await install()
    })
  }
  writeFileSync(stamp, wanted)
}

/** The same command under the bundled Node. Signals go on to it, and its end is ours. */
const handOver = () => {
  const child = spawn(bundledNode, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`The bundled Node could not be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name)
    if (signal) process.kill(process.pid, signal)
    else process.exit(code ?? 1)
  })
}

await ensureInstalled()
if (realpathSync(process.execPath) === realpathSync(bundledNode)) {
  process.chdir(root)
  process.argv = [process.execPath, script, ...rest]
  module.enableCompileCache(join(modules, '.cache', 'node'))
  await import(pathToFileURL(script).href)
} else handOver()

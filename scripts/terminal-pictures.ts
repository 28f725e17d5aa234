import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { freePort } from '../packages/server/test/acceptance/free-port.ts'
import { terminalSvg } from './terminal-svg.ts'

// Writes docs/pictures/*.svg: runs CLI commands in a terminal (tmux) against a new server and draws what they print.
// Run it after changing the output of the CLI. IDs and times differ in every run, so no check compares the files.
const root = join(import.meta.dirname, '..')
const pictures = join(root, 'docs/pictures')
const folder = await mkdtemp(join(tmpdir(), 'quayside-pictures-'))
const columns = 106
const tmux = (...args: string[]): string =>
  execFileSync('tmux', ['-L', 'quayside-pictures', '-f', '/dev/null', ...args], { encoding: 'utf8' })

/** Repeats `attempt` until it returns a value. */
async function until<T>(what: string, attempt: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const value = await attempt()
    if (value !== undefined) return value
    if (Date.now() > deadline) throw new Error(`Timed out: ${what}.`)
    await pause(20)
  }
}

const screen = (): string => tmux('capture-pane', '-e', '-p', '-t', 'pictures')
const plain = stripVTControlCharacters

/**
 * Runs a command on a clear screen and writes a picture of the first screen that matches `capture` or, by default, of
 * the screen after the command has ended.
 */
async function take(name: string | undefined, command: string, capture?: RegExp): Promise<void> {
  const ended = join(folder, 'ended')
  await rm(ended, { force: true })
  tmux('send-keys', '-t', 'pictures', `clear; ${command}; touch ${ended}`, 'Enter')
  let matched: string | undefined
  await until(`the end of ${command}`, () => {
    const text = screen()
    if (capture?.test(plain(text)) === true) matched ??= text
    return existsSync(ended) ? true : undefined
  })
  if (capture !== undefined && matched === undefined) throw new Error(`${command} never showed ${capture}.`)
  if (name === undefined) return
  const output = (matched ?? screen()).replaceAll(url, 'http://localhost:4400')
  const lines = output.split('\n').filter((line) => !line.includes('touch ') && plain(line).trim() !== '$')
  const text = [`$ ${command}`, ...lines].join('\n').trimEnd()
  await writeFile(join(pictures, `${name}.svg`), terminalSvg(text, columns))
}

const port = await freePort()
const url = `http://localhost:${port}`
const server = spawn(process.execPath, [join(root, 'packages/server/bin/quayside-server.js')], {
  env: { ...process.env, QUAYSIDE_PORT: String(port), QUAYSIDE_DATA_DIR: join(folder, 'data') },
  stdio: 'ignore',
})
try {
  await mkdir(pictures, { recursive: true })
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    )
  await until('the start of the server', isReady)
  const key = (await readFile(join(folder, 'data/first-key'), 'utf8')).trim()
  // Builds are recorded with the branch and commit of the repository that contains their files.
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' })
  git('init', '--initial-branch', 'main')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--allow-empty', '-m', 'Start')
  const files = { 'game-1.4.0.apk': 600_000_000, 'game-1.3.2.apk': 84_213_760, 'game.apk': 71_003_136 }
  for (const [file, sizeBytes] of Object.entries(files)) {
    const handle = await open(join(folder, file), 'w')
    await handle.truncate(sizeBytes)
    await handle.close()
  }
  const cli = `${process.execPath} --conditions=@quayside/source ${join(root, 'packages/cli/src/main.ts')}`
  await writeFile(join(folder, 'quayside'), `#!/bin/sh\nexec ${cli} "$@"\n`, { mode: 0o755 })
  await writeFile(
    join(folder, 'bashrc'),
    `PS1='$ '\nexport PATH='${folder}':"$PATH" QUAYSIDE_SERVER=${url} QUAYSIDE_API_KEY=${key}\n`,
  )
  // Tall enough for the whole help text, because only the visible part of the terminal is captured.
  const size = ['-x', String(columns), '-y', '80']
  const shell = `bash --noprofile --rcfile ${join(folder, 'bashrc')}`
  tmux('new-session', '-d', '-s', 'pictures', ...size, '-c', folder, shell)
  await until('the prompt', () => (plain(screen()).startsWith('$') ? true : undefined))

  await take(undefined, 'quayside applications create Game --platform android')
  await take(undefined, 'quayside upload game-1.3.2.apk --build-number 412')
  await take('error', 'quayside upload game.apk')
  await take('upload', 'quayside upload game-1.4.0.apk --build-number 431', /[4-9]\d ?%/)
  await take('builds', 'quayside builds list')
  await take('help', 'quayside --help')
} finally {
  try {
    tmux('kill-server')
  } catch {
    // tmux may not have been started yet.
  }
  server.kill('SIGTERM')
  if (server.exitCode === null) await once(server, 'exit')
  await rm(folder, { recursive: true, force: true })
}

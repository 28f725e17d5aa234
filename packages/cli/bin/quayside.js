#!/usr/bin/env node
// Starts src/main.ts. Kept to syntax that old Node versions read, so that they can be told what is missing.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const major = Number(process.versions.node.split('.')[0])

if (major >= 24) await import('../src/main.ts')
else runWithPinnedNode()

function runWithPinnedNode() {
  const node = pinnedNode()
  if (node === undefined) {
    process.stderr.write(
      `quayside needs Node 24 or newer, this is ${process.version}: install it from https://nodejs.org and try again.\n`,
    )
    process.exitCode = 1
    return
  }
  // The channel lets the child notice that this process was killed.
  const child = spawn(node, [main, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  // A terminal sends Ctrl-C to both; the child decides when to end.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`quayside could not start ${node}: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGKILL' ? 137 : 1)
  })
}

function pinnedNode() {
  const os = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${os}-${process.arch}`
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}

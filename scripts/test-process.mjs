import asyncHooks from 'node:async_hooks'
import { appendFileSync, readFileSync, writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// node:test tracks every promise of a test process to attribute late errors to a test, which slows a service under
// test by a fifth. Without promise tracking, node:test still tracks timers and sockets, and an error that it cannot
// attribute to a test still fails the file.
const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
syncBuiltinESMExports()

// The hooks that stop services run after this timer starts, and take minutes on a busy machine.
const exitWithinMs = 600_000

// A file whose service could not be closed would keep the run from ending. The option --test-force-exit loses results
// of tests that have run (https://github.com/nodejs/node/issues/64833).
if (process.env.NODE_TEST_CONTEXT !== undefined) {
  const { after } = await import('node:test')
  after(() => {
    setTimeout(() => {
      writeSync(
        2,
        `${process.argv[1]} still has ${process.getActiveResourcesInfo().join(', ')} after its tests\n`,
      )
      process.exit(1)
    }, exitWithinMs).unref()
  })
}

// With QUAYSIDE_TEST_CPU=<file>, each process appends its CPU seconds, those of its children, and its name.
const cpuFile = process.env.QUAYSIDE_TEST_CPU
if (cpuFile !== undefined)
  process.on('exit', () => {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').map(Number)
    const [user, system, childUser, childSystem] = fields.slice(11, 15)
    const line = [(user + system) / 100, (childUser + childSystem) / 100, ...process.argv.slice(1)].join(' ')
    appendFileSync(cpuFile, `${line}\n`)
  })

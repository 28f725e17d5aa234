import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

// node:test tracks every promise of a test process to attribute late errors to a test, which slows a service under
// test by a fifth. Without promise tracking, node:test still tracks timers and sockets, and an error that it cannot
// attribute to a test still fails the file.
const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
syncBuiltinESMExports()

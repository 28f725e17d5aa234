import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

// node:test follows every promise of a test process in order to attribute late errors to a test. This costs a service
// under test a fifth of its time. Without promises it still follows timers and sockets, and an unattributed error still
// fails the file.
const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
syncBuiltinESMExports()

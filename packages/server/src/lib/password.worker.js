// This file is JavaScript because a thread that strips types was measured to use 10 MB more.
import { argon2Sync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

// The synchronous form runs on this thread. The asynchronous one would occupy a thread of libuv's pool, which the whole
// process shares and needs to read and write files.
parentPort.on('message', (/** @type {import('node:crypto').Argon2Parameters} */ parameters) => {
  parentPort.postMessage(argon2Sync('argon2id', parameters))
})

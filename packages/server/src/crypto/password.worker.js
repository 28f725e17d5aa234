// This file is JavaScript because loading TypeScript in a worker thread uses 10 MB more memory (measured).
import { argon2Sync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

// The synchronous function runs on this thread. The asynchronous function would occupy a thread of libuv's pool, which
// the whole process needs for file I/O.
parentPort.on('message', (/** @type {import('node:crypto').Argon2Parameters} */ parameters) => {
  parentPort.postMessage(argon2Sync('argon2id', parameters))
})

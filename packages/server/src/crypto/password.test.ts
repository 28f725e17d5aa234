import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Problem } from '../lib/problem.ts'
import { createPasswords } from './password.ts'

const passwords = createPasswords()
after(() => passwords.close())

test('verifies a password against its hash and rejects any other password', async () => {
  const hash = await passwords.hash('open sesame')
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.notEqual(await passwords.hash('open sesame'), hash)
  assert.equal(await passwords.verify('open sesame', hash), true)
  assert.equal(await passwords.verify('Open sesame', hash), false)
  await assert.rejects(passwords.verify('open sesame', 'plain text'), /not an Argon2id hash/)
})

test('verifies a password against a hash with different cost parameters', async () => {
  const hash =
    '$argon2id$v=19$m=64,t=1,p=2$c29tZXNhbHQxMjM0NTY3OA$QXylLXz0XOrBSXqRXaVwiNlDM/VuGdqILNXqQDm4gRQ'
  assert.equal(await passwords.verify('something else', hash), false)
})

test('throws a 503 with Retry-After when the password queue is full and recovers afterward', async () => {
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.hash('x')))
  const refused = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  assert.ok(refused.length >= 40 && refused.length < 60, `${refused.length}`)
  for (const problem of refused) {
    assert.ok(problem instanceof Problem)
    assert.deepEqual([problem.status, problem.code], [503, 'password.busy'])
    assert.equal(problem.headers['retry-after'], '1')
  }
  assert.match(await passwords.hash('x'), /^\$argon2id/)
})

test('does not block file reads while passwords are hashed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-password-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, 'hello')
    const state = { isHashing: true }
    const hashing = Promise.all(Array.from({ length: 10 }, () => passwords.hash('x'))).finally(() => {
      state.isHashing = false
    })
    let reads = 0
    for (; state.isHashing; reads++) assert.equal(await readFile(path, 'utf8'), 'hello')
    await hashing
    // If hashes ran on the threads that read files, each read would wait for a hash to finish.
    assert.ok(reads > 20, `${reads} reads`)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('rejects queued hash requests when the pool is closed', async () => {
  const closing = createPasswords()
  const results = Array.from({ length: 10 }, () => closing.hash('x'))
  const settled = Promise.allSettled(results)
  await closing.close()
  assert.ok((await settled).some(({ status }) => status === 'rejected'))
})

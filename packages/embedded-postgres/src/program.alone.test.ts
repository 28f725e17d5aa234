import assert from 'node:assert/strict'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findServerAccount } from './account.ts'
import { EmbeddedPostgresError } from './error.ts'
import { findNativePackage, type NativePackage } from './native-package.ts'
import { findRunnableProgram } from './program.ts'
import type { Account } from './types.ts'

describe('PostgreSQL binaries', () => {
  let parent: string
  let account: Account
  let original: NativePackage
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'quayside-program-'))
    await chmod(parent, 0o755)
    account = await findServerAccount(join(parent, 'none'), 'embedded_test')
    // The account cannot execute binaries in node_modules if the repository is in a private folder, such as /root.
    const installed = await findNativePackage(process.platform, process.arch)
    original = { ...installed, folder: join(parent, 'package') }
    await cp(installed.folder, original.folder, { recursive: true, verbatimSymlinks: true })
  })
  after(() => rm(parent, { recursive: true, force: true }))

  test('uses the binaries in place when the account can execute them', async () => {
    const locations = [{ parent: join(parent, 'unused'), prefix: '' }]
    assert.equal(await findRunnableProgram(original, account, locations), join(original.folder, 'native'))
  })

  test('copies binaries from a folder that the account cannot access, creates missing links and repairs a damaged copy', async (t) => {
    if (process.getuid?.() !== 0) return t.skip('requires root')
    const closed = join(parent, 'closed')
    await mkdir(closed, { mode: 0o700 })
    const source = { ...original, folder: join(closed, 'package') }
    const filter = async (path: string) => !path.endsWith('.so.5') && !path.endsWith('.so.60')
    await cp(original.folder, source.folder, { recursive: true, verbatimSymlinks: true, filter })

    const locations = ['first', 'second'].map((name) => ({ parent: join(parent, name), prefix: '' }))
    const copy = await findRunnableProgram(source, account, locations)
    assert.equal(copy, join(parent, 'first', `postgresql-${original.version}`))
    assert.ok((await readdir(join(copy, 'lib'))).includes('libpq.so.5'))

    await truncate(join(copy, 'bin/initdb'), 10)
    assert.equal(await findRunnableProgram(source, account, locations), copy)
    assert.equal(
      (await readFile(join(copy, 'bin/initdb'))).length,
      (await readFile(join(original.folder, 'native/bin/initdb'))).length,
    )

    await chmod(join(parent, 'first'), 0o777)
    await chmod(copy, 0o777)
    assert.equal(
      await findRunnableProgram(source, account, locations),
      join(parent, 'second', `postgresql-${original.version}`),
    )
    assert.deepEqual(await readdir(join(parent, 'first')), [`postgresql-${original.version}`])
  })

  test('names every attempted location in the error when no location works', async () => {
    const source = { folder: join(parent, 'absent'), version: '0' }
    await assert.rejects(
      findRunnableProgram(source, account, [{ parent: join(parent, 'third'), prefix: '' }]),
      (error) =>
        error instanceof EmbeddedPostgresError &&
        [join(parent, 'absent'), join(parent, 'third')].every((text) => error.message.includes(text)),
    )
  })

  test('throws an error that names the platform when no package supports it', async () => {
    await assert.rejects(findNativePackage('linux', 'riscv64'), {
      code: 'unsupported_system',
      message: /available for .*linux-x64, and this is linux-riscv64\.$/,
    })
  })

  test('throws an error that names the C library when its loader is missing, as on Alpine', async () => {
    for (const architecture of ['x64', 'arm64'])
      await assert.rejects(findNativePackage('linux', architecture, join(parent, 'without-loader')), {
        code: 'unsupported_system',
        message: /requires glibc, whose loader \/lib\S+ is missing\. Systems such as Alpine have musl/,
      })
  })
})

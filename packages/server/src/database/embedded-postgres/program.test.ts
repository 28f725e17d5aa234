import assert from 'node:assert/strict'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Problem } from '../../lib/problem.ts'
import { type Account, serverAccount } from './account.ts'
import { findNativePackage, type NativePackage } from './native-package.ts'
import { runnableProgram } from './program.ts'

describe('program of PostgreSQL', () => {
  let parent: string
  let account: Account
  let original: NativePackage
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'quayside-program-'))
    await chmod(parent, 0o755)
    account = await serverAccount(join(parent, 'none'))
    original = await findNativePackage(process.platform, process.arch)
  })
  after(() => rm(parent, { recursive: true, force: true }))

  test('a package that can be run where it is, is not copied', async () => {
    const places = [{ parent: join(parent, 'unused'), prefix: '' }]
    assert.equal(await runnableProgram(original, account, places), join(original.folder, 'native'))
  })

  test('a package without its links under a closed folder, gets them and is copied whole for another account', async (t) => {
    if (process.getuid?.() !== 0) return t.skip('needs root')
    const closed = join(parent, 'closed')
    await mkdir(closed, { mode: 0o700 })
    const source = { ...original, folder: join(closed, 'package') }
    const filter = async (path: string) => !path.endsWith('.so.5') && !path.endsWith('.so.60')
    await cp(original.folder, source.folder, { recursive: true, verbatimSymlinks: true, filter })

    const places = ['first', 'second'].map((name) => ({ parent: join(parent, name), prefix: '' }))
    const copy = await runnableProgram(source, account, places)
    assert.equal(copy, join(parent, 'first', `postgresql-${original.version}`))
    assert.ok((await readdir(join(copy, 'lib'))).includes('libpq.so.5'))

    await truncate(join(copy, 'bin/initdb'), 10)
    assert.equal(await runnableProgram(source, account, places), copy)
    assert.equal(
      (await readFile(join(copy, 'bin/initdb'))).length,
      (await readFile(join(original.folder, 'native/bin/initdb'))).length,
    )

    await chmod(join(parent, 'first'), 0o777)
    await chmod(copy, 0o777)
    assert.equal(
      await runnableProgram(source, account, places),
      join(parent, 'second', `postgresql-${original.version}`),
    )
    assert.deepEqual(await readdir(join(parent, 'first')), [`postgresql-${original.version}`])
  })

  test('nothing that can be run anywhere, is told with every reason', async () => {
    const source = { folder: join(parent, 'absent'), version: '0' }
    await assert.rejects(
      runnableProgram(source, account, [{ parent: join(parent, 'third'), prefix: '' }]),
      (error) =>
        error instanceof Problem &&
        ['DATABASE_URL', join(parent, 'absent'), join(parent, 'third')].every((text) =>
          error.message.includes(text),
        ),
    )
  })

  test('a platform without a package, is told with the way out', async () => {
    await assert.rejects(findNativePackage('plan9', 'mips'), {
      code: 'embedded_postgres.no_package',
      message: /DATABASE_URL/,
    })
  })
})

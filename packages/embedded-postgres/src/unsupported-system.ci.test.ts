import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { findNativePackage } from './native-package.ts'

const run = promisify(execFile)
const skip = (process.platform !== 'linux' || process.getuid?.() !== 0) && 'needs root on Linux'

/** The program finds the package and runs PostgreSQL, and prints the error codes of both. */
const program = `
  import { execFile } from 'node:child_process'
  import { findNativePackage } from '/source/native-package.ts'
  const found = await findNativePackage(process.platform, process.arch).catch((error) => error)
  execFile('/native/bin/postgres', ['--version'], (error) => console.log(JSON.stringify([found.code, error.code])))
`

test('recognizes a system in which the programs have no loader', { skip }, async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'quayside-without-loader-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const { folder } = await findNativePackage(process.platform, process.arch)
  await cp(join(folder, 'native'), join(root, 'native'), { recursive: true, verbatimSymlinks: true })
  await cp(import.meta.dirname, join(root, 'source'), { recursive: true })
  // In this system, glibc is where only this test looks for it. Alpine has none.
  await mkdir(join(root, 'glibc'))
  const { stdout: libraries } = await run('ldd', [process.execPath])
  for (const [path] of libraries.matchAll(/\/\S+\.so\S*/g))
    await copyFile(path, join(root, 'glibc', basename(path)))
  await copyFile(process.execPath, join(root, 'node'))

  const [loader = ''] = /ld-linux\S*/.exec(libraries) ?? []
  const node = [`/glibc/${loader}`, '--library-path', '/glibc', '/node']
  const args = [root, ...node, '--input-type=module', '--eval', program]
  const { stdout } = await run('chroot', args, { env: { PATH: process.env['PATH'] } })
  assert.deepEqual(JSON.parse(stdout), ['unsupported_system', 'ENOENT'])
})

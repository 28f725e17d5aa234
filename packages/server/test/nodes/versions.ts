import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from '../acceptance/npm-start.ts'

const run = promisify(execFile)

/** A copy of the server whose other files are links to this repository. */
export type Version = { folder: string; remove: () => Promise<void> }

/** Returns a version of the server that is newer than this one by a migration. */
export async function createNewerVersion(migration: { name: string; sql: string }): Promise<Version> {
  const version = await createFolder()
  const server = join(version.folder, 'packages/server')
  await cp(join(repository, 'packages/server'), server, {
    recursive: true,
    filter: (path) => !/\/(node_modules|test)$/.test(path),
  })
  await writeFile(join(server, 'migrations', migration.name), migration.sql)
  return version
}

/** Returns the server as of a commit of this repository. */
export async function checkOutVersion(commit: string): Promise<Version> {
  const version = await createFolder()
  await run('sh', [
    '-c',
    'git -C "$1" archive "$2" packages/server | tar -x -C "$3"',
    'sh',
    repository,
    commit,
    version.folder,
  ])
  return version
}

async function createFolder(): Promise<Version> {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-version-'))
  await mkdir(join(folder, 'packages'))
  const links = (await readdir(repository)).filter((name) => !['.git', 'packages'].includes(name))
  for (const name of links) await symlink(join(repository, name), join(folder, name))
  for (const name of await readdir(join(repository, 'packages')))
    if (name !== 'server') await symlink(join(repository, 'packages', name), join(folder, 'packages', name))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

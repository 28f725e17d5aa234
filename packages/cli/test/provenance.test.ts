import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import type { InProcessOptions } from './run-in-process.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'

type Build = {
  version: string
  platform: { identifier: string }
  build_number: string | null
  ci_pipeline: Record<string, string | null>
  scm: Record<string, string | null>
}

const run = promisify(execFile)
const skip = spawnSync('git', ['--version']).error !== undefined && 'needs Git'
let service: Service
let applicationId: string
let workTree: string
let otherWorkTree: string

before(async () => {
  service = await startService()
  const create = ['applications', 'create', 'Linux app', '--platform', 'linux']
  applicationId = (await jsonInProcess<{ id: string }>(service, create)).id
  if (skip !== false) return
  workTree = await createRepository('game', 'https://github.com/acme/game.git', 'v0.9.0')
  otherWorkTree = await createRepository('other', 'https://github.com/acme/other.git', 'v7.7.7')
})

after(() => service.close())

/** Creates a repository with one tagged commit and an ignored folder `dist`. */
async function createRepository(name: string, remote: string, tag: string): Promise<string> {
  const folder = join(service.folder, name)
  await mkdir(join(folder, 'dist'), { recursive: true })
  await writeFile(join(folder, '.gitignore'), 'dist/\n')
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  await git(folder, 'init', '--quiet', '--initial-branch', 'main')
  await git(folder, 'remote', 'add', 'origin', remote)
  await git(folder, 'add', '.')
  await git(folder, ...identity, 'commit', '--quiet', '--message', name)
  await git(folder, 'tag', tag)
  return folder
}

const git = async (cwd: string, ...args: string[]) => (await run('git', args, { cwd })).stdout.trim()

async function fileIn(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, name)
  return path
}

/** Uploads a file and returns the build and the messages that the command printed. */
async function upload(path: string, args: string[] = [], options: InProcessOptions = {}) {
  const result = await runInProcess(service, ['upload', path, ...args], options)
  assert.equal(result.code, 0, result.stderr)
  const id = /^Build +(\S+)/m.exec(result.stdout)?.[1] ?? ''
  return { build: await jsonInProcess<Build>(service, ['builds', 'get', id]), stderr: result.stderr }
}

test('detects the platform with a key that can only upload builds', async () => {
  const create = ['keys', 'create', 'ci', '--application', applicationId, '--scope', 'builds:create']
  const { key } = await jsonInProcess<{ key: string }>(service, create)
  const path = await fileIn(service.folder, 'app-1.2.3.tar.gz')
  const { build } = await upload(path, [], { env: { QUAYSIDE_API_KEY: key } })
  assert.equal(build.platform.identifier, 'linux')
})

test('suggests the application ID to a key that cannot list applications', async () => {
  const create = ['keys', 'create', 'uploader', '--workspace', '--scope', 'builds:create']
  const { key } = await jsonInProcess<{ key: string }>(service, create)
  const options = { env: { QUAYSIDE_API_KEY: key } }
  const path = await fileIn(service.folder, 'app-1.2.4.tar.gz')
  const byName = await runInProcess(service, ['upload', path, '--application', 'Linux app'], options)
  assert.equal(byName.code, 3)
  assert.match(byName.stderr, /Use the application ID instead of "Linux app", or a key with the scope applic/)
  const unnamed = await runInProcess(service, ['upload', path], options)
  assert.equal(unnamed.code, 3)
  assert.match(unnamed.stderr, /cannot list applications\. Select one by its ID with --application/)
  const byId = ['upload', path, '--application', applicationId, '--platform', 'linux']
  const { code, stderr } = await runInProcess(service, byId, options)
  assert.equal(code, 0, stderr)
})

test('records no Git data for a file outside the repository of the working directory', { skip }, async () => {
  const path = await fileIn(service.folder, 'my-app-2.3.4.tar.gz')
  const { build } = await upload(path, [], { cwd: workTree })
  assert.equal(build.version, '2.3.4')
  assert.deepEqual(
    [build.scm['scm_commit_sha'], build.scm['scm_branch'], build.scm['scm_repo_url']],
    [null, null, null],
  )
})

test('records the repository that contains the file, wherever the command runs', { skip }, async () => {
  const path = await fileIn(join(workTree, 'dist'), 'app.tar.gz')
  const hook = { GIT_DIR: join(otherWorkTree, '.git'), GIT_WORK_TREE: otherWorkTree }
  const { build, stderr } = await upload(path, [], { cwd: otherWorkTree, env: hook })
  assert.equal(build.version, '0.9.0', stderr)
  assert.equal(build.scm['scm_commit_sha'], await git(workTree, 'rev-parse', 'HEAD'))
  assert.equal(build.scm['scm_repo_url'], 'https://github.com/acme/game')
  assert.equal(build.scm['scm_branch'], 'main')
})

test('uses the fourth number in a file name as build number unless an option sets it', async () => {
  const path = await fileIn(service.folder, 'tool-1.2.3.45.tar.gz')
  const env = { CI: 'true', JENKINS_URL: 'https://ci.example.com/', BUILD_NUMBER: '318' }
  const { build } = await upload(path, [], { env })
  assert.deepEqual([build.version, build.build_number], ['1.2.3', '45'])
  const overridden = await upload(path, ['--build-number', '6'], { env })
  assert.equal(overridden.build.build_number, '6')
})

test(
  'records no Git data for a file in the checkout of Quayside from which the command runs',
  { skip },
  async (t) => {
    const cache = join(import.meta.dirname, '../../../node_modules/.cache')
    await mkdir(cache, { recursive: true })
    const path = await fileIn(cache, 'someones-app-1.0.0.tar.gz')
    t.after(() => rm(path))
    const { build } = await upload(path)
    assert.deepEqual([build.scm['scm_commit_sha'], build.scm['scm_branch']], [null, null])
  },
)

test('uses the version in the file name and reports that the tag differs', { skip }, async () => {
  const path = await fileIn(join(workTree, 'dist'), 'app-2.3.4.tar.gz')
  const chosen = await upload(path)
  assert.equal(chosen.build.version, '2.3.4')
  assert.match(chosen.stderr, /The file name has version 2\.3\.4, but the tag v0\.9\.0 has version 0\.9\.0/)
  const tagged = await upload(path, ['--version-from', 'tag', '--label', 'tagged'])
  assert.equal(tagged.build.version, '0.9.0')
  assert.doesNotMatch(tagged.stderr, /but the tag/)
})

test(
  'records the commit of the CI run but no other Git data when the file is in another repository',
  { skip },
  async () => {
    const env = {
      CI: 'true',
      EAS_BUILD: 'true',
      EAS_BUILD_ID: '0c5e',
      EAS_BUILD_GIT_COMMIT_HASH: 'd'.repeat(40),
    }
    const { build } = await upload(await fileIn(join(workTree, 'dist'), 'tool-1.0.0.tar.gz'), [], { env })
    assert.equal(build.ci_pipeline['ci_run_id'], '0c5e')
    assert.equal(build.scm['scm_commit_sha'], 'd'.repeat(40))
    assert.deepEqual([build.scm['scm_branch'], build.scm['scm_repo_url']], [null, null])
  },
)

test('records the CI build number and prefers values from options to detected values', async () => {
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'acme/game',
    GITHUB_RUN_ID: '7',
    GITHUB_RUN_NUMBER: '318',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_SHA: 'a'.repeat(40),
  }
  const detected = await upload(await fileIn(service.folder, 'run-1.0.0.tar.gz'), [], { env })
  assert.equal(detected.build.build_number, '318')
  const args = ['--build-number', '4.4', '--branch', 'stable', '--commit', 'b'.repeat(40), '--run-id', '9']
  const more = ['--run-url', 'https://ci.example.com/9', '--repository', 'https://gitlab.com/acme/app.git']
  const path = await fileIn(service.folder, 'options-1.0.0.tar.gz')
  const { build } = await upload(path, [...args, ...more], { env })
  assert.deepEqual(
    [build.build_number, build.scm['scm_branch'], build.scm['scm_repo_url'], build.ci_pipeline['ci_run_url']],
    ['4.4', 'stable', 'https://gitlab.com/acme/app', 'https://ci.example.com/9'],
  )
  assert.equal(build.scm['scm_commit_url'], `https://gitlab.com/acme/app/-/commit/${'b'.repeat(40)}`)
  const manual = await upload(
    await fileIn(service.folder, 'manual-1.0.0.tar.gz'),
    ['--no-scm', '--run-id', '9'],
    { env },
  )
  assert.deepEqual(
    [manual.build.ci_pipeline['ci_run_id'], manual.build.build_number, manual.build.scm['scm_commit_sha']],
    ['9', null, null],
  )
  const invalid = await runInProcess(service, ['upload', path, '--run-url', 'run 9'])
  assert.equal(invalid.code, 2)
})

test('reads a repository that belongs to another user', { skip }, async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can change the owner of a folder')
  const foreign = await createRepository('foreign', 'https://github.com/acme/foreign.git', 'v3.0.0')
  for (const entry of ['', ...(await readdir(foreign, { recursive: true }))])
    await chown(join(foreign, entry), 1234, 1234)
  await assert.rejects(git(foreign, 'rev-parse', 'HEAD'), /dubious ownership/)
  const { build } = await upload(await fileIn(join(foreign, 'dist'), 'app.tar.gz'))
  assert.equal(build.version, '3.0.0')
  assert.equal(build.scm['scm_repo_url'], 'https://github.com/acme/foreign')
})

test(
  'explains why a Git version that ignores the safe.directory option cannot read the repository',
  { skip },
  async () => {
    const bin = join(service.folder, 'bin')
    await mkdir(bin)
    // Git 2.35.2 to 2.37 ignores this option on the command line. The variable makes Git assume that the owner differs.
    const script = `#!/bin/sh
[ "$2" = 'safe.directory=*' ] && shift 2
export GIT_TEST_ASSUME_DIFFERENT_OWNER=1
PATH='${process.env['PATH']}' exec git "$@"
`
    await writeFile(join(bin, 'git'), script, { mode: 0o755 })
    const path = await fileIn(join(workTree, 'dist'), 'old-git-1.0.0.tar.gz')
    const { build, stderr } = await upload(path, [], { env: { PATH: `${bin}:${process.env['PATH']}` } })
    assert.equal(build.scm['scm_commit_sha'], null)
    assert.ok(stderr.includes(`git config --global --add safe.directory '${workTree}'`), stderr)
  },
)

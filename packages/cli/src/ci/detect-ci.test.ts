import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { additionalSources } from './additional-sources.ts'
import type { Env } from './ci-metadata.ts'
import { detectCi } from './detect-ci.ts'
import { envCiSources } from './env-ci-sources.ts'
import { localGitOf, originFields, withOriginOptions } from './origin-fields.ts'

type Row = {
  system: string
  source: string
  description: string
  env: Env
  /** The content of the file that GITHUB_EVENT_PATH names. */
  event?: object
  expected: Record<string, string>
}

// Environments documented by the CI services, with the expected fields.
const fixture = new URL('./fixtures/ci-environments.json', import.meta.url)
const environments = JSON.parse(readFileSync(fixture, 'utf8')) as Row[]
const sha = '1a2b3c4d5e6f708192a3b4c5d6e7f80912345678'
const now = new Date('2026-11-21T03:00:00Z')

let folder: string
before(async () => (folder = await mkdtemp(join(tmpdir(), 'quayside-ci-'))))
after(() => rm(folder, { recursive: true, force: true }))

for (const { source, description, env, event, expected } of environments) {
  test(`derives source ${source} and the build metadata from the environment of ${description}`, async () => {
    const eventPath = join(folder, 'event.json')
    await writeFile(eventPath, JSON.stringify(event ?? {}))
    const run = detectCi(event ? { ...env, GITHUB_EVENT_PATH: eventPath } : env)
    const fields: Record<string, unknown> = originFields(run, {}, now)
    assert.deepEqual(fields, { source, ...expected })
    for (const [name, value] of Object.entries(fields)) {
      assert.ok(typeof value === 'string' && value !== '', `${name} is empty`)
      assert.doesNotMatch(value, /s3cret|(^|\/)undefined(\/|$)/, name)
    }
  })
}

test('has a fixture for every supported CI source', () => {
  const sources = [...Object.values(envCiSources), ...additionalSources].map(({ source }) => source)
  assert.equal(new Set(sources).size, 21)
  assert.ok(new Set(environments.map(({ system }) => system)).size >= 36)
  assert.deepEqual(
    sources.filter((source) => !environments.some((row) => row.source === source)),
    [],
  )
})

test('falls back to source cli-upload when env-ci throws an error', () => {
  assert.equal(detectCi({ NETLIFY: 'true' }).source, 'cli-upload')
})

test('fills in missing CI metadata from the local Git repository', () => {
  const git = { commit: sha, branch: 'main', remoteUrl: 'https://token@github.com/acme/app.git' }
  const fields = originFields(detectCi({ TEAMCITY_VERSION: '1', BUILD_NUMBER: '2' }), git, now)
  assert.equal(fields.vc_repo_url, 'https://github.com/acme/app')
  assert.equal(fields.vc_branch, 'main')
  assert.equal(fields.vc_commit_url, `https://github.com/acme/app/commit/${sha}`)
})

test('truncates values that exceed the length limits of the API', () => {
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKFLOW: 'w'.repeat(500),
    GITHUB_REF: `refs/heads/${'b'.repeat(500)}`,
  }
  const fields = originFields(detectCi(env), {}, now)
  assert.equal(fields.ci_pipeline?.length, 100)
  assert.equal(fields.vc_branch?.length, 255)
})

test('ignores the local repository when the CI run built another commit', () => {
  const run = detectCi({ TEAMCITY_VERSION: '1', BUILD_VCS_NUMBER: sha })
  const git = {
    commit: 'b'.repeat(40),
    branch: 'other',
    tag: 'v9.9.9',
    remoteUrl: 'https://github.com/acme/other',
  }
  assert.deepEqual(localGitOf(run, git), {})
  assert.equal(localGitOf(run, { ...git, commit: sha }).branch, 'other')
  assert.equal(localGitOf({ ...run, mergeCommit: git.commit }, git).branch, 'other')
})

test('prefers values from options to detected values', () => {
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'acme/app',
    GITHUB_RUN_ID: '7',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_SHA: sha,
  }
  const commit = 'c'.repeat(40)
  const run = withOriginOptions(detectCi(env), {
    branch: 'release',
    commit,
    runId: '8',
    runUrl: 'https://ci.example.com/8',
    repository: 'git@gitlab.com:acme/game.git',
  })
  assert.deepEqual(originFields(run, {}, now), {
    source: 'ghactions',
    ci_run_id: '8',
    ci_run_url: 'https://ci.example.com/8',
    vc_host_type: 'git',
    vc_host: 'gitlab',
    vc_repo_name: 'acme/game',
    vc_repo_url: 'https://gitlab.com/acme/game',
    vc_branch: 'release',
    vc_commit_sha: commit,
    vc_commit_url: `https://gitlab.com/acme/game/-/commit/${commit}`,
  })
  const depot = originFields(withOriginOptions(run, { repository: '//depot/game', commit: '4711' }), {}, now)
  assert.deepEqual(
    [depot.vc_repo_name, depot.vc_repo_url, depot.vc_host_type],
    ['//depot/game', undefined, undefined],
  )
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { additionalSources } from './additional-sources.ts'
import type { Env } from './ci-metadata.ts'
import { detectCi } from './detect-ci.ts'
import { envCiSources } from './env-ci-sources.ts'
import { originFields } from './origin-fields.ts'

type Row = { source: string; description: string; env: Env; expected: Record<string, string | null> }

// Environments that the CI services document, with the expected fields. Null means that the field is absent.
const fixture = new URL('fixtures/ci-environments.json', import.meta.url)
const environments = JSON.parse(readFileSync(fixture, 'utf8')) as Row[]
const sha = '1a2b3c4d5e6f708192a3b4c5d6e7f80912345678'
const now = new Date('2026-11-21T03:00:00Z')

for (const { source, description, env, expected } of environments) {
  test(`derives source ${source} and the build metadata from the environment of ${description}`, () => {
    const fields: Record<string, unknown> = originFields(detectCi(env, tmpdir()), {}, now)
    assert.equal(fields['source'], source)
    for (const [name, value] of Object.entries(expected)) assert.equal(fields[name] ?? null, value, name)
    for (const [name, value] of Object.entries(fields)) {
      assert.ok(typeof value === 'string' && value !== '', `${name} is empty`)
      assert.doesNotMatch(value, /s3cret|(^|\/)undefined(\/|$)/, name)
    }
  })
}

test('every supported CI source has a fixture', () => {
  const sources = [...Object.values(envCiSources), ...additionalSources].map(({ source }) => source)
  assert.equal(new Set(sources).size, 21)
  assert.deepEqual(
    sources.filter((source) => !environments.some((row) => row.source === source)),
    [],
  )
})

test('falls back to source cli-upload when env-ci throws an error', () => {
  assert.equal(detectCi({ NETLIFY: 'true' }, tmpdir()).source, 'cli-upload')
})

test('fills in missing CI metadata from the local Git repository', () => {
  const git = { commit: sha, branch: 'main', remoteUrl: 'https://token@github.com/acme/app.git' }
  const fields = originFields(detectCi({ TEAMCITY_VERSION: '1', BUILD_NUMBER: '2' }, tmpdir()), git, now)
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
  const fields = originFields(detectCi(env, tmpdir()), {}, now)
  assert.equal(fields.ci_pipeline?.length, 100)
  assert.equal(fields.vc_branch?.length, 255)
})

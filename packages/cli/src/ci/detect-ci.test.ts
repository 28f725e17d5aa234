import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import type { Env } from './ci-facts.ts'
import { detectCi } from './detect-ci.ts'
import { furtherServices } from './further-ci.ts'
import { knownServices } from './known-ci.ts'
import { originFields } from './origin-fields.ts'

type Row = { source: string; what: string; env: Env; expected: Record<string, string | null> }

// As the services document them, each with the facts that must come out of it; null = the field is left out.
const table = new URL('fixtures/ci-environments.json', import.meta.url)
const environments = JSON.parse(readFileSync(table, 'utf8')) as Row[]
const sha = '1a2b3c4d5e6f708192a3b4c5d6e7f80912345678'
const now = new Date('2026-11-21T03:00:00Z')

for (const { source, what, env, expected } of environments) {
  test(`the origin of a build, in ${source} with ${what}, is read from its environment`, () => {
    const fields: Record<string, unknown> = originFields(detectCi(env, tmpdir()), {}, now)
    assert.equal(fields['source'], source)
    for (const [name, value] of Object.entries(expected)) assert.equal(fields[name] ?? null, value, name)
    for (const [name, value] of Object.entries(fields)) {
      assert.ok(typeof value === 'string' && value !== '', `${name} is empty`)
      assert.doesNotMatch(value, /s3cret|(^|\/)undefined(\/|$)/, name)
    }
  })
}

test('every CI source of the service, over the table, has an environment that leads to it', () => {
  const sources = [...Object.values(knownServices), ...furtherServices].map(({ source }) => source)
  assert.equal(new Set(sources).size, 21)
  assert.deepEqual(
    sources.filter((source) => !environments.some((row) => row.source === source)),
    [],
  )
})

test('a reader that throws on a missing variable, in some service, does not stop the upload', () => {
  assert.equal(detectCi({ NETLIFY: 'true' }, tmpdir()).source, 'cli-upload')
})

test('the local repository, where the service says nothing, fills in the rest', () => {
  const git = { commit: sha, branch: 'main', remoteUrl: 'https://token@github.com/acme/app.git' }
  const fields = originFields(detectCi({ TEAMCITY_VERSION: '1', BUILD_NUMBER: '2' }, tmpdir()), git, now)
  assert.equal(fields.vc_repo_url, 'https://github.com/acme/app')
  assert.equal(fields.vc_branch, 'main')
  assert.equal(fields.vc_commit_url, `https://github.com/acme/app/commit/${sha}`)
})

test('texts longer than the service takes, from the environment, are cut', () => {
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKFLOW: 'w'.repeat(500),
    GITHUB_REF: `refs/heads/${'b'.repeat(500)}`,
  }
  const fields = originFields(detectCi(env, tmpdir()), {}, now)
  assert.equal(fields.ci_pipeline?.length, 100)
  assert.equal(fields.vc_branch?.length, 255)
})

import assert from 'node:assert/strict'
import test from 'node:test'
import type { TrustedPublisher } from '@quayside/sdk'
import {
  claimsOf,
  emptyForm,
  formOf,
  githubIssuer,
  gitlabIssuer,
  type PublisherForm,
} from '../src/features/trusted-publishers/publisher-form.ts'

const server = 'https://builds.example.com'

const publisherOf = (form: PublisherForm): TrustedPublisher => ({
  id: 'p',
  name: form.name,
  issuer: form.issuer,
  audience: server,
  claims: claimsOf(form),
  scopes: form.scopes,
  application_id: 'a',
  created_by: null,
  expires_at: null,
  created_at: '2026-01-01T00:00:00.000000Z',
  updated_at: '2026-01-01T00:00:00.000000Z',
  warnings: [],
})

const github: PublisherForm = {
  ...emptyForm,
  name: 'Release',
  repository: 'acme/app',
  repositoryId: '1234',
  branches: ['main', 'release/*'],
  tags: ['v*'],
  environment: 'production',
}

void test('qualifies branches and tags of GitHub', () => {
  assert.deepEqual(claimsOf(github), {
    repository: 'acme/app',
    repository_id: '1234',
    ref: ['refs/heads/main', 'refs/heads/release/*', 'refs/tags/v*'],
    environment: 'production',
  })
})

void test('requires protected refs of GitLab by default', () => {
  const form: PublisherForm = {
    ...emptyForm,
    provider: 'gitlab',
    issuer: gitlabIssuer,
    repository: 'acme/app',
    branches: ['main'],
  }
  assert.deepEqual(claimsOf(form), { project_path: 'acme/app', ref: 'main', ref_protected: 'true' })
})

void test('fills the form with the rule of an existing publisher', () => {
  const form = formOf(publisherOf(github), server)
  assert.deepEqual(claimsOf(form), claimsOf(github))
  assert.equal(form.provider, 'github')
  assert.deepEqual(form.branches, github.branches)
  assert.deepEqual(form.tags, github.tags)
})

void test('shows a rule that the fields cannot express as a list of claims', () => {
  const publisher = {
    ...publisherOf(github),
    issuer: githubIssuer,
    claims: { repository: 'acme/app', workflow: ['Release', 'Nightly'] },
  }
  const form = formOf(publisher, server)
  assert.equal(form.provider, 'other')
  assert.deepEqual(form.claims, [
    { name: 'repository', patterns: 'acme/app' },
    { name: 'workflow', patterns: 'Release, Nightly' },
  ])
  assert.deepEqual(claimsOf(form), publisher.claims)
})

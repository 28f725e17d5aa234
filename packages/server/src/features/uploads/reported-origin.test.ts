import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { put, uploadBody, uploadedBuild, versionOf } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const request = (body: Record<string, unknown>) =>
  service.call('POST', '/upload/request', { key: tenant.applicationKey, body })

/** URLs of repositories, commits and runs as CI systems report them. */
const addresses = [
  'https://github.com/acme/app',
  'https://github.com/acme/app.git',
  'http://jenkins.example.com:8080/job/my%20app/12/',
  'https://[2001:db8::1]:8443/job/12/',
  'git@github.com:acme/app.git',
  'git@github.com:acme/app/commit/0a1b2c3',
  'ssh://git@gitlab.example.com:2222/group/app.git',
  'ssh://git@stash.example.com:7999/ABC/app.git',
  'git@ssh.dev.azure.com:v3/acme/project/app',
  'git://git.example.com/acme/app',
  'git+https://gitlab.com/acme/app.git',
  'deploy@build.internal:/srv/git/app.git',
  'ssh://deploy@build.internal/srv/git/app.git',
  'svn://svn.example.com/app/trunk',
  'svn+ssh://me@svn.example.com/app',
  'perforce.example.com:1666',
  '//depot/app/main',
  ':pserver:me@cvs.example.com:/cvsroot',
  'bzr+ssh://bazaar.example.com/app',
  'file:///srv/git/app.git',
  'file://server/share/app',
  '/var/lib/jenkins/workspace/app',
  './app',
  'job/app/12/',
  'C:\\Jenkins\\workspace\\app',
  'C:/Jenkins/workspace/app',
  '\\\\server\\share\\app',
  'unknown',
  'N/A',
  'null',
  'not a url at all',
  'javascript:alert(1)',
  'data:text/html,<b>x</b>',
  'https://',
  'http://[::1',
  '{"url":"https://example.com"}',
  'ftp://example.com/app',
  'Ünï cödé ☃',
]

test('stores any reported address unchanged and creates only http and https links', async () => {
  for (const address of addresses) {
    const { build } = await uploadedBuild(service, tenant, {
      ci_pipeline_url: address,
      ci_run_url: address,
      vc_repo_url: address,
      vc_commit_url: address,
    })
    const { ci_pipeline: ci, scm, links } = build
    const kept = [ci.ci_pipeline_url, ci.ci_run_url, scm.scm_repo_url, scm.scm_commit_url]
    assert.deepEqual(kept, [address, address, address, address])
    for (const link of Object.values<string | null>(links))
      assert.ok(link === null || ['http:', 'https:'].includes(new URL(link).protocol), `${link}`)
  }
})

test('returns the HTTPS link for an SSH commit address in every build response', async () => {
  const vc_commit_url = 'git@github.com:acme/app/commit/0a1b2c3'
  const { build } = await uploadedBuild(service, tenant, { vc_commit_url, vc_repo_url: 'unknown' })
  const path = `/applications/${tenant.applicationId}/builds`
  const single = await service.call('GET', `${path}/${build.id}`, { key: tenant.applicationKey })
  const list = await service.call('GET', `${path}?sort=desc`, { key: tenant.applicationKey })
  for (const { scm, links } of [build, single.body.data, list.body.data[0]])
    assert.deepEqual(
      [scm.scm_commit_url, links.scm_commit_url, scm.scm_repo_url, links.scm_repo_url],
      [vc_commit_url, 'https://github.com/acme/app/commit/0a1b2c3', 'unknown', null],
    )
})

test('removes credentials from repository and CI run addresses before storing them', async () => {
  const { build } = await uploadedBuild(service, tenant, {
    vc_repo_url: 'https://ci:gl-secret@gitlab.example.com/acme/app.git',
    ci_run_url: 'https://ci.example.com/12?access_token=gl-secret',
  })
  const drafts = await service.deps.db.selectFrom('pending_uploads').select('draft').execute()
  assert.ok(!JSON.stringify([build, drafts]).includes('gl-secret'))
  assert.equal(build.links.scm_repo_url, 'https://gitlab.example.com/acme/app.git')
})

test('accepts reported values of any type or length and removes control characters from them', async () => {
  const { build } = await uploadedBuild(service, tenant, {
    custom_build_number: 4711,
    version_component_extra: 7,
    ci_pipeline: ' nightly\u0000\r\nbuild\u202e ',
    ci_run_id: 19_876_543_210,
    ci_run_url: `https://ci.example.com/${'x'.repeat(5000)}`,
    vc_repo_name: { owner: 'acme' },
    vc_branch: 'b'.repeat(1000),
    vc_commit_sha: 'a'.repeat(65),
    vc_repo_url: ['https://example.com'],
    vc_commit_url: true,
  })
  const { ci_pipeline: ci, scm, links } = build
  assert.equal(build.build_number, '4711')
  assert.equal(build.version, '1.2.3-7')
  assert.deepEqual([ci.ci_pipeline_name, ci.ci_run_id], ['nightly build', '19876543210'])
  assert.deepEqual([ci.ci_run_url.length, links.ci_run_url], [2000, null])
  assert.deepEqual([scm.scm_repo_name, scm.scm_commit_url], ['{"owner":"acme"}', 'true'])
  assert.equal(scm.scm_branch, `${'b'.repeat(254)}…`)
  assert.equal(scm.scm_commit_sha, `${'a'.repeat(63)}…`)
  assert.equal(scm.scm_repo_url, '["https://example.com"]')
})

test('converts reported durations to HH:MM:SS and ignores values that are not durations', async () => {
  for (const [ci_build_duration, stored] of [
    ['00:15:30', '00:15:30'],
    ['15m30s', '00:15:30'],
    ['PT15M30S', '00:15:30'],
    [930, '00:15:30'],
    ['1 hr 2 min', '01:02:00'],
    ['15 min 30 sec and counting', null],
    ['soon', null],
    ['x'.repeat(500), null],
    [{ minutes: 5 }, null],
  ] as const) {
    const { build } = await uploadedBuild(service, tenant, { ci_build_duration })
    assert.equal(build.ci_pipeline.ci_build_duration, stored, JSON.stringify(ci_build_duration))
  }
})

const empty = {
  custom_build_number: '',
  labels: [],
  architectures: [],
  version_component_extra: '',
  version_component_meta: '',
  expansion_files: [],
  notes: '',
}
const file = (filename: string) => ({ filename, size_bytes: 100 })

/**
 * Requests in the format that public CI clients send: with empty optional fields, integers as strings and additional
 * fields.
 */
const clients: Record<string, Record<string, unknown>> = {
  'a GitHub Action': {
    ...uploadBody(empty),
    structure: 'file',
    source: 'ghactions',
    primary_file: file('app.7z'),
    version_component_1_major: '1',
    version_component_2_minor: '0',
    version_component_3_patch: '7',
    ci_pipeline: 'release.yml',
    ci_run_id: '19876543210',
    ci_run_url: 'https://github.com/acme/app/actions/runs/19876543210',
    ci_build_duration: '15m30s',
    vc_host_type: 'git',
    vc_host: 'github',
    vc_repo_name: 'acme/app',
    vc_repo_url: 'git://github.com/acme/app.git',
    vc_branch: 'refs/pull/7/merge',
    vc_commit_sha: 'c0ffee'.repeat(6),
    vc_commit_url: 'https://github.com/acme/app/commit/c0ffee',
    action_version: 'v1.1.4',
  },
  'a Jenkins plugin with an SSH remote': {
    ...uploadBody(empty),
    source: 'jenkins',
    primary_file: { filename: 'app.7z', size_bytes: '100' },
    custom_build_number: 12,
    ci_pipeline: 'folder » app',
    ci_run_id: '12',
    ci_run_url: 'job/folder/job/app/12/',
    ci_build_duration: '',
    vc_host_type: 'git',
    vc_host: null,
    vc_repo_name: 'app',
    vc_repo_url: 'git@github.com:acme/app.git',
    vc_branch: 'origin/main',
    vc_commit_sha: 'c0ffee',
    vc_commit_url: 'git@github.com:acme/app/commit/c0ffee',
  },
  'a mobile build tool': {
    ...uploadBody(empty),
    platform: 'android',
    structure: 'file+expansion',
    source: 'bitrise',
    primary_file: file('app.apk'),
    expansion_files: [file('main.1.app.obb')],
    ...versionOf(3, 1),
    version_component_extra: 'rc.01',
    version_component_meta: '2025.01.01',
    ci_run_url: 'unknown',
    vc_repo_url: 'file:///Users/ci/app',
    vc_branch: 'HEAD',
    vc_commit_sha: null,
    vc_commit_url: null,
  },
  'a game engine plugin on Windows': {
    ...uploadBody(empty),
    platform: 'windows',
    source: 'unity-build',
    primary_file: file('Game.zip'),
    vc_host_type: 'perforce',
    vc_host: 'perforce',
    vc_repo_name: '//depot/game',
    vc_repo_url: 'ssl:perforce.example.com:1666',
    vc_branch: '//depot/game/main',
    vc_commit_sha: '48151',
    vc_commit_url: 'C:\\Builds\\Game',
    ci_build_duration: '930.5',
  },
}

for (const [client, body] of Object.entries(clients))
  test(`completes an upload whose request has the format used by ${client}`, async () => {
    const requested = await request(body)
    assert.equal(requested.status, 200, requested.text)
    assert.ok(!('errors' in requested.body))
    const { primary_file, expansion_files, primary_presigned_data, pending_upload_id } = requested.body
    for (const each of [primary_file, ...expansion_files]) {
      assert.equal(each.chunked_upload, false)
      assert.deepEqual(Object.keys(each.presigned_data.headers).toSorted(), [
        'Content-Disposition',
        'Content-Length',
        'Content-Type',
        'x-amz-acl',
      ])
      assert.equal((await put(each.presigned_data, Buffer.alloc(100))).status, 200)
    }
    // Versions of the GitHub Action up to v1.1.4 read `primary_presigned_data`.
    assert.deepEqual(primary_presigned_data, primary_file.presigned_data)
    const verified = await service.call('POST', '/upload/verify', {
      key: tenant.applicationKey,
      body: { pending_upload_id, multipart_chunks: [] },
    })
    assert.equal(verified.status, 200, verified.text)
    assert.equal(verified.body.build.scm.scm_repo_url, body['vc_repo_url'])
    assert.equal(verified.body.build.ci_pipeline.ci_run_url, body['ci_run_url'] ?? null)
  })

test('sets primary_presigned_data to null for a file that must be uploaded in parts', async () => {
  const { body } = await request(
    uploadBody({ primary_file: { filename: 'a.zip', size_bytes: 6 * 1024 ** 3 } }),
  )
  assert.equal(body.primary_presigned_data, null)
})

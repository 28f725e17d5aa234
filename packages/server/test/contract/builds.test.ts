import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { createEverything, fullRequest, readEverything } from './everything.ts'
import {
  type Json,
  fieldTests,
  has,
  is,
  nullOr,
  onlySingle,
  owners,
  shortId,
  text,
  times,
  timestamp,
  uuid,
  webUrl,
} from './shapes.ts'

const all = await createEverything()
const read = await readEverything(all)
after(() => all.service.close())

fieldTests(read.listed, {
  '§2.9 build.id': { id: shortId },
  '§2.9 build.build_structure': { build_structure: is('file+expansion') },
  '§2.9 build.version': { version: is('4.5.6-beta.2+build.7') },
  '§2.9 build.version_short': { version_short: is('4.5.6') },
  '§2.9 build.version_semantic_major, minor, patch': {
    version_semantic_major: is(4),
    version_semantic_minor: is(5),
    version_semantic_patch: is(6),
  },
  '§2.9 build.build_number': { build_number: is('B-4711 (night)') },
  '§2.9 build.platform': { platform: has({ identifier: is('android'), name: text, short_name: text }) },
  '§2.9 build.stream': { stream: has({ id: shortId, name: is('nightlies'), ...times }) },
  '§2.9 build.notes': { notes: is('What is **new**') },
  '§2.9 build.size_total_bytes': { size_total_bytes: is(2000) },
  '§2.9 build.size_total_string': { size_total_string: is('1.95 KB') },
  '§2.9 build.metadata_total_bytes': { metadata_total_bytes: is(64) },
  '§2.9 build.build_source': { build_source: is('cli-upload') },
  '§2.9 build.ci_pipeline': {
    ci_pipeline: is({
      ci_pipeline_name: 'release',
      ci_pipeline_url: null,
      ci_run_id: '77',
      ci_run_url: 'https://ci.example.com/77',
      ci_build_duration: '00:15:30',
    }),
  },
  '§2.9 build.scm': {
    scm: is({
      scm_host_type: 'git',
      scm_host: 'github',
      scm_repo_name: fullRequest.vc_repo_name,
      scm_repo_url: fullRequest.vc_repo_url,
      scm_branch: 'main',
      scm_commit_sha: fullRequest.vc_commit_sha,
      scm_commit_sha_short: '0123456',
      scm_commit_url: fullRequest.vc_commit_url,
    }),
  },
  '§2.9 build.pending': { pending: is(false) },
  '§2.9 build.modal_url': { modal_url: webUrl },
  '§2.9 build.download_url': { download_url: webUrl },
  '§2.9 build.built_at, created_at, updated_at': { built_at: nullOr(timestamp), ...times },
})

test('returns the pre-release part of the version, or null if the version has none (§2.9 build.version_semantic_extra)', () => {
  assert.equal(read.listed.version_semantic_extra, 'beta.2')
  assert.equal(read.bare.version_semantic_extra, null)
})

test('returns the metadata part of the version, or null if the version has none (§2.9 build.version_semantic_meta)', () => {
  assert.equal(read.listed.version_semantic_meta, 'build.7')
  assert.equal(read.bare.version_semantic_meta, null)
})

test('returns the workspace labels and application labels of a build (§2.9 build.labels)', () => {
  assert.deepEqual(
    read.listed.labels.map(({ name, level }: Json) => [name, level]),
    [
      ['shared', 'workspace'],
      ['Signed', 'application'],
    ],
  )
  assert.deepEqual(read.bare.labels, [])
})

test('returns the architectures from the upload request (§2.9 build.architectures)', () => {
  assert.deepEqual(
    read.listed.architectures.map(({ identifier }: Json) => identifier),
    ['arm64v8', 'x64'],
  )
  assert.deepEqual(read.bare.architectures, [])
})

fieldTests(read.build, {
  '§2.9 full build.primary_file': { primary_file: has({ filename: is('game.apk'), size_bytes: is(1500) }) },
  '§2.9 full build.ios_info, android_info': { ios_info: is(null), android_info: nullOr(has({})) },
})

test('includes files, platform details, application_id and workspace_id only in the response for a single build (§2.9 full build.application_id, workspace_id)', () => {
  const fields = ['primary_file', 'expansion_files', 'metadata_artifacts', 'ios_info', 'android_info']
  onlySingle(['application_id', 'workspace_id', ...fields], read.build, read.listed)
  has(owners)(read.build, 'build')
})

test('includes the expansion files in the response for a single build (§2.9 full build.expansion_files)', () => {
  const [file] = read.build.expansion_files
  assert.equal(read.build.expansion_files.length, 1)
  has({ id: uuid, filename: is('main.1.com.example.game.obb'), size_bytes: is(500) })(file, 'expansion file')
})

test('includes the metadata artifacts in the response for a single build (§2.9 full build.metadata_artifacts)', () => {
  const { build_id, application_id, workspace_id, ...artifact } = read.artifact
  assert.deepEqual(read.build.metadata_artifacts, [artifact])
  assert.deepEqual(
    [build_id, application_id, workspace_id],
    [read.build.id, read.build.application_id, read.build.workspace_id],
  )
  assert.deepEqual(all.bare.metadata_artifacts, [])
})

fieldTests(read.build.primary_file, {
  '§2.10 file.id': { id: uuid },
  '§2.10 file.filename': { filename: is('game.apk') },
  '§2.10 file.size_bytes': { size_bytes: is(1500) },
  '§2.10 file.size_string': { size_string: is('1.46 KB') },
  '§2.10 file.filetype': { filetype: has({ identifier: is('apk'), name: text, extension: text }) },
  '§2.10 file.created_at, updated_at': times,
})

test('returns the MD5 checksum of a file (§2.10 file.checksum_md5)', () => {
  assert.equal(read.build.primary_file.checksum_md5, createHash('md5').update(all.primary).digest('hex'))
})

fieldTests(read.artifact, {
  '§2.11 artifact.id': { id: uuid },
  '§2.11 artifact.filename': { filename: is('notes.txt') },
  '§2.11 artifact.size_bytes': { size_bytes: is(64) },
  '§2.11 artifact.size_string': { size_string: is('64 B') },
  '§2.11 artifact.checksum_md5': { checksum_md5: text },
  '§2.11 artifact.metadata_filetype': {
    metadata_filetype: has({ identifier: text, name: text, extension: text }),
  },
  '§2.11 artifact.created_at, updated_at': times,
})

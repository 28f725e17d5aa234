import { uuidV7 } from '../../src/lib/ids.ts'
import { asBuild, insertRow, asUpload } from './seed.fixture.ts'
import { own, run, timestamp, stateTests } from './state-tests.fixture.ts'

const { accepts, rejects, rejectsRow } = stateTests()

const build = asBuild('b9')
rejectsRow('a build in a stream of another application', 'foreign key', 'builds', build, { stream_id: 'sb' })
rejectsRow('a build whose application is in another workspace', 'foreign key', 'builds', build, {
  workspace_id: 'v',
})
const target = { custom_target_id: '00000000-0000-7000-8000-000000000001' }
const onTarget = { ...build, ...target, platform: 'ios' }
rejectsRow('a build for a custom target of another platform', 'foreign key', 'builds', onTarget, {
  platform: 'android',
})
rejectsRow('a build for a custom target of another application', 'foreign key', 'builds', onTarget, {
  custom_target_id: '00000000-0000-7000-8000-000000000002',
})
const buildLabel = { build_id: 'b1', label_id: 'lw', ...own }
rejectsRow('a build with a label of another application', 'foreign key', 'build_labels', buildLabel, {
  label_id: 'lb',
})
rejectsRow('a build with a label of another workspace', 'foreign key', 'build_labels', buildLabel, {
  label_id: 'lv',
})
rejects(
  'the replacement of a build label with a label of another application',
  'foreign key',
  [insertRow('build_labels', buildLabel)],
  [
    insertRow('build_labels', buildLabel),
    run(`update build_labels set label_id = 'lb' where label_id = 'lw'`),
  ],
)
accepts('keeps a label on its builds after it is promoted to the workspace', [
  insertRow('build_labels', { ...buildLabel, label_id: 'la' }),
  run(`update labels set application_id = null where id = 'la'`),
  run(`select 1 / count(*) from build_labels where label_id = 'la'`),
])
const file = {
  id: uuidV7(),
  build_id: 'b1',
  role: 'expansion',
  filename: 'f.obb',
  size_bytes: 1,
  filetype: 'obb',
  object_key: 'o2',
}
rejectsRow('a second primary file for the same build', 'unique', 'files', file, { role: 'primary' })
rejectsRow('two files with the same stored object', 'unique', 'files', file, { object_key: 'o1' })
rejectsRow('a file whose stored object does not exist', 'foreign key', 'files', file, {
  object_key: 'missing',
})
rejects(
  'the deletion of a stored object that a file references',
  'foreign key',
  [run(`delete from stored_objects where key = 'o2'`)],
  [run(`delete from stored_objects where key = 'o1'`)],
)

const requested = asUpload()
const verified = { ...requested, state: 'verified', verified_at: timestamp, build_id: 'b1' }
rejectsRow('a verified upload without a build', 'check', 'pending_uploads', verified, { build_id: null })
rejectsRow('a verified upload without a verification time', 'check', 'pending_uploads', verified, {
  verified_at: null,
})
rejectsRow('an unverified upload with a build', 'check', 'pending_uploads', requested, {
  build_id: 'b1',
})
rejectsRow(
  'an aborted upload with a verification time',
  'check',
  'pending_uploads',
  { ...requested, state: 'aborted' },
  { verified_at: timestamp },
)
rejectsRow(
  'an upload that is being verified but has no lease',
  'check',
  'pending_uploads',
  { ...requested, state: 'verifying', lease_id: uuidV7(), lease_expires_at: timestamp },
  { lease_id: null },
)
rejectsRow('a lease on an upload that is not being verified', 'check', 'pending_uploads', requested, {
  lease_id: uuidV7(),
  lease_expires_at: timestamp,
})
rejectsRow('an upload with a build of another application', 'foreign key', 'pending_uploads', verified, {
  build_id: 'bb',
})
rejects(
  'two uploads with the same build',
  'unique',
  [
    insertRow('pending_uploads', verified),
    insertRow('pending_uploads', { ...verified, id: uuidV7(), build_id: 'b2' }),
  ],
  [insertRow('pending_uploads', verified), insertRow('pending_uploads', { ...verified, id: uuidV7() })],
)
const metadata = { ...requested, kind: 'metadata', build_id: 'b1' }
rejectsRow(
  'a metadata upload that references neither a build nor a build upload',
  'check',
  'pending_uploads',
  metadata,
  { build_id: null },
)
rejectsRow(
  'a verified metadata upload without an artifact',
  'check',
  'pending_uploads',
  { ...metadata, state: 'verified', verified_at: timestamp, artifact_id: uuidV7() },
  { artifact_id: null },
)

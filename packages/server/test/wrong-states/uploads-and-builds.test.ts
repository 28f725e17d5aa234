import { uuidV7 } from '../../src/lib/ids.ts'
import { asBuild, asRow, asUpload } from './seed.fixture.ts'
import { own, run, week, stateTests } from './state-tests.fixture.ts'

const { accepts, refuses, refusesRow } = stateTests()

const build = asBuild('b9')
refusesRow('a build in a stream of another application', 'foreign key', 'builds', build, { stream_id: 'sb' })
refusesRow('a build of an application in another workspace', 'foreign key', 'builds', build, {
  workspace_id: 'v',
})
const target = { custom_target_id: '00000000-0000-7000-8000-000000000001' }
const onTarget = { ...build, ...target, platform: 'ios' }
refusesRow('a build for a custom target of another platform', 'foreign key', 'builds', onTarget, {
  platform: 'android',
})
refusesRow('a build for the custom target of another application', 'foreign key', 'builds', onTarget, {
  custom_target_id: '00000000-0000-7000-8000-000000000002',
})
const wears = { build_id: 'b1', label_id: 'lw', ...own }
refusesRow('a label of another application on a build', 'foreign key', 'build_labels', wears, {
  label_id: 'lb',
})
refusesRow('a label of another workspace on a build', 'foreign key', 'build_labels', wears, {
  label_id: 'lv',
})
refuses(
  'exchanging a label of a build for one of another application',
  'foreign key',
  [asRow('build_labels', wears)],
  [asRow('build_labels', wears), run(`update build_labels set label_id = 'lb' where label_id = 'lw'`)],
)
accepts('a label that is lifted to its workspace stays on every build that wears it', [
  asRow('build_labels', { ...wears, label_id: 'la' }),
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
refusesRow('a second primary file', 'unique', 'files', file, { role: 'primary' })
refusesRow('two files that share bytes', 'unique', 'files', file, { object_key: 'o1' })
refusesRow('a file without stored bytes', 'foreign key', 'files', file, { object_key: 'nowhere' })
refuses(
  'forgetting bytes that a file names',
  'foreign key',
  [run(`delete from stored_objects where key = 'o2'`)],
  [run(`delete from stored_objects where key = 'o1'`)],
)

const requested = asUpload()
const verified = { ...requested, state: 'verified', verified_at: week, build_id: 'b1' }
refusesRow('a verified upload without a build', 'check', 'pending_uploads', verified, { build_id: null })
refusesRow('a verified upload without its time', 'check', 'pending_uploads', verified, { verified_at: null })
refusesRow('an upload with a build before it is verified', 'check', 'pending_uploads', requested, {
  build_id: 'b1',
})
refusesRow(
  'an aborted upload with a time of verify',
  'check',
  'pending_uploads',
  { ...requested, state: 'aborted' },
  { verified_at: week },
)
refusesRow(
  'an upload being verified without a lease',
  'check',
  'pending_uploads',
  { ...requested, state: 'verifying', lease_id: uuidV7(), lease_expires_at: week },
  { lease_id: null },
)
refusesRow('a lease on an upload that nobody verifies', 'check', 'pending_uploads', requested, {
  lease_id: uuidV7(),
  lease_expires_at: week,
})
refusesRow(
  'an upload that leads to a build of another application',
  'foreign key',
  'pending_uploads',
  verified,
  { build_id: 'bb' },
)
refuses(
  'a second upload that became the same build',
  'unique',
  [
    asRow('pending_uploads', verified),
    asRow('pending_uploads', { ...verified, id: uuidV7(), build_id: 'b2' }),
  ],
  [asRow('pending_uploads', verified), asRow('pending_uploads', { ...verified, id: uuidV7() })],
)
const metadata = { ...requested, kind: 'metadata', build_id: 'b1' }
refusesRow('a metadata upload that belongs nowhere', 'check', 'pending_uploads', metadata, { build_id: null })
refusesRow(
  'a verified metadata upload without an artifact',
  'check',
  'pending_uploads',
  { ...metadata, state: 'verified', verified_at: week, artifact_id: uuidV7() },
  {
    artifact_id: null,
  },
)

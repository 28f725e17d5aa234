import { requireUnrevokedCaller, roleChanged } from '../../access/caller.db.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { problem } from '../../lib/problem.ts'
import { newStorageKey } from '../../storage/custom/store-key.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { insertApplication } from '../applications/application.db.ts'
import { SingleApplication, singleApplication } from '../applications/application.ts'
import { insertApplicationPlatforms } from '../platforms/platform.db.ts'
import { insertStreamsFromDefaults } from '../streams/stream.db.ts'
import { requireLockedWorkspace } from '../workspace/workspace.db.ts'
import { insertSampleBuilds, insertSampleRelease, type StoredSample } from './insert-sample.ts'
import { findSampleApplication } from './sample-application.db.ts'
import { sampleBuilds, sampleDescription, sampleFile, sampleName, samplePlatforms } from './sample-content.ts'

const sampleExists = problem(
  'conflict',
  'sample_application.exists',
  'The workspace already has a sample application. Delete it before you create another one.',
)

export const createSampleApplication = endpoint({
  method: 'POST',
  path: '/workspace/sample-application',
  scope: { workspace: 'applications:create' },
  summary: 'Create the sample application',
  description:
    'Creates an application with builds, labels, a release and a share link, which show what a workspace looks like in use. Its files are small and cannot be installed. It counts as none of the first steps.',
  status: 201,
  refuses: [sampleExists, roleChanged, ...storageProblems],
  returns: one(SingleApplication),
  async prepare({ db, actor, storage }) {
    if ((await findSampleApplication(db, actor.workspaceId)) !== undefined) throw sampleExists()
    const stored: StoredSample[] = []
    for (const build of sampleBuilds) {
      const { filename, bytes } = sampleFile(build)
      const key = newStorageKey(null)
      await storage.requireSpace(key, bytes.length)
      stored.push({ build, filename, object: await storage.store(key, bytes) })
    }
    return { stored }
  },
  async handle({ stored, ...call }) {
    const { db, config } = call
    const application = await inTransaction(db, (tx) => insertSample(tx, call, stored))
    return {
      message: 'Sample application created.',
      data: await singleApplication({ db, config }, application),
    }
  },
})

async function insertSample(tx: Tx, call: Call, stored: StoredSample[]) {
  const { actor } = call
  const { workspaceId } = actor
  // Concurrent requests create only one sample.
  await requireLockedWorkspace(tx, workspaceId)
  await requireUnrevokedCaller(tx, actor)
  if ((await findSampleApplication(tx, workspaceId)) !== undefined) throw sampleExists()
  const application = await insertApplication(tx, {
    workspaceId,
    name: sampleName,
    description: sampleDescription,
    isSample: true,
  })
  const { id } = application
  await insertApplicationPlatforms(tx, id, [...samplePlatforms])
  await insertStreamsFromDefaults(tx, workspaceId, id)
  await recordEvent(tx, call, {
    action: 'application.created',
    applicationId: id,
    subject: { type: 'application', id },
    after: { name: sampleName, description: sampleDescription, platforms: samplePlatforms, is_sample: true },
  })
  const buildIds = await insertSampleBuilds(tx, call, { applicationId: id, workspaceId }, stored)
  await insertSampleRelease(tx, call, { applicationId: id, workspaceId }, buildIds)
  return application
}

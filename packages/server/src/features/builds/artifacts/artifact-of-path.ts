import type { Db } from '../../../database/transaction.ts'
import type { Actor } from '../../../http/endpoint/actor.ts'
import { notFound } from '../../../lib/problem.ts'
import { requireBuildOfPath } from '../build.db.ts'
import { listMetadataArtifacts } from './metadata-artifact.db.ts'

/** Loads the build and the metadata artifact that the path identifies; throws 404 if either does not exist. */
export async function requireMetadataArtifactOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id: string; build_id: string; artifact_id: string }
}) {
  const { build } = await requireBuildOfPath(call)
  const artifacts = await listMetadataArtifacts(call.db, build.id)
  const artifact = artifacts.find(({ id }) => id === call.params.artifact_id)
  if (artifact === undefined) throw notFound()
  return { build, artifact }
}

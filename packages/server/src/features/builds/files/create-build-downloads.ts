import { Type, type Static } from 'typebox'
import { requireApplicationOfPath } from '../../../access/application.db.ts'
import type { Db } from '../../../database/transaction.ts'
import { endpoint, type Call } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId, Timestamp } from '../../../http/endpoint/fields.ts'
import { storageProblems } from '../../../storage/storage-errors.ts'
import { listMetadataArtifactsOfBuilds } from '../artifacts/metadata-artifact.db.ts'
import { listBuildsByIds } from '../build.db.ts'
import { linkExpiry, linkLifeSeconds, recordKeyDownloads } from './download.ts'
import { FileLink, fileLink, metadataArtifactLink } from './file-link.ts'
import { listFilesOfBuilds } from './file.db.ts'
import { filesByRole } from './file.ts'

const Link = Type.Object({ id: Type.String(), ...FileLink.properties }, { title: 'IdentifiedFileLink' })

const Links = Type.Object(
  {
    build_id: Type.String(),
    primary_file: Link,
    expansion_files: Type.Array(Link),
    metadata_artifacts: Type.Array(Link),
    expires_at: Timestamp,
  },
  { title: 'BuildDownload' },
)

export const createBuildDownloads = endpoint({
  method: 'POST',
  path: '/applications/:application_id/builds/downloads',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get download links for several builds',
  description:
    'Returns signed links to every file of up to 100 builds, in the order of `build_ids`. The call counts once toward the download rate limit, regardless of the number of builds. `missing` lists the IDs of builds that do not exist or are in the trash.',
  params: Type.Object({ application_id: ApplicationId }),
  body: Type.Object({
    build_ids: Type.Array(Type.String({ maxLength: 255 }), { minItems: 1, maxItems: 100, uniqueItems: true }),
  }),
  budget: 'downloads',
  refuses: [...storageProblems],
  returns: Type.Object({
    message: Type.String(),
    data: Type.Array(Links),
    missing: Type.Array(Type.String(), {
      description: 'IDs of builds that do not exist or are in the trash.',
    }),
  }),
  load: requireApplicationOfPath,
  async handle({ application, body, ...call }) {
    const builds = await findBuilds(call.db, application.id, body.build_ids)
    const data = await linksOf(call, builds)
    await recordKeyDownloads(call, builds)
    const found = new Set(builds.map(({ id }) => id))
    const missing = body.build_ids.filter((id) => !found.has(id))
    return {
      message: `Download links created for ${data.length} of ${body.build_ids.length} builds.`,
      data,
      missing,
    }
  },
})

async function findBuilds(db: Db, applicationId: string, ids: string[]) {
  const found = new Map((await listBuildsByIds(db, ids)).map((build) => [build.id, build]))
  return ids.flatMap((id) => {
    const build = found.get(id)
    return build?.application_id === applicationId ? [build] : []
  })
}

async function linksOf(
  { db, storage, clock }: Call,
  builds: { id: string }[],
): Promise<Static<typeof Links>[]> {
  const ids = builds.map(({ id }) => id)
  const files = Map.groupBy(await listFilesOfBuilds(db, ids), ({ build_id }) => build_id)
  const artifacts = Map.groupBy(await listMetadataArtifactsOfBuilds(db, ids), ({ build_id }) => build_id)
  const expires_at = linkExpiry(clock)
  const options = { expiresInSeconds: linkLifeSeconds }
  return Promise.all(
    ids.map(async (id) => {
      const { primary, expansions } = filesByRole(id, files.get(id) ?? [])
      const linkOf = async (file: typeof primary) => ({
        id: file.id,
        ...(await fileLink(storage, file, options)),
      })
      return {
        build_id: id,
        primary_file: await linkOf(primary),
        expansion_files: await Promise.all(expansions.map(linkOf)),
        metadata_artifacts: await Promise.all(
          (artifacts.get(id) ?? []).map(async (artifact) => ({
            id: artifact.id,
            ...(await metadataArtifactLink(storage, artifact, options)),
          })),
        ),
        expires_at,
      }
    }),
  )
}

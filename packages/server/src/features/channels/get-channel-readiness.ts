import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Nullable } from '../../http/endpoint/fields.ts'
import { listOf } from '../../http/endpoint/responses.ts'
import { ensureRepositoryKeys } from '../repository-keys/repository-key.db.ts'
import type { Adapter, Feed, PublishedFile } from './adapters/adapter.ts'
import { tokenOf } from './adapters/companion-json.ts'
import { formats, type FormatId } from './adapters/formats.ts'
import { requireChannelOfPath } from './channel.db.ts'
import { ChannelParams, channelUrl, Format } from './channel.ts'
import { createCompanionFiles } from './feeds/documents.ts'
import { readCompanionFile } from './feeds/feed.ts'
import { listPackageDetails } from './feeds/publication.db.ts'
import { findNewestEntry } from './feeds/publication.ts'

const FormatReadiness = Type.Object(
  {
    format: Format,
    name: Type.String(),
    urls: Type.Array(Type.String(), {
      description: 'What developers enter in their application, with the placeholders of its updater.',
    }),
    rollout: Type.Enum(['client_id', 'client', 'complete_only'], {
      description:
        '`client_id`: the service decides by the ID that a client sends. `client`: the client decides by the percentage in the document. `complete_only`: clients get the version once it is offered to everyone.',
    }),
    setup: Type.Array(Type.Object({ title: Type.String(), code: Type.String() }), {
      description:
        'What users of a package manager run or save, with the placeholder `{read_key}` if the channel requires one.',
    }),
    version: Nullable(
      Type.String({ description: 'The newest version of the channel; `null` if it has none.' }),
    ),
    is_ready: Type.Boolean({ description: 'Whether the newest version can be offered in this format.' }),
    missing: Type.Array(
      Type.Object({
        message: Type.String({ description: 'What to add.' }),
        build_id: Type.Optional(Type.String({ description: 'The build to which a file should be added.' })),
        filename: Type.Optional(Type.String({ description: 'The name of the file.' })),
      }),
    ),
  },
  { title: 'FormatReadiness' },
)

/** Returns the SHA-256 of the certificate with which indexes are signed. Its first use creates it. */
async function fingerprintOf(
  deps: Pick<Deps, 'db' | 'secretBox' | 'clock'>,
  { workspace_id: workspaceId }: { workspace_id: string },
): Promise<string> {
  const [current] = await ensureRepositoryKeys(deps, workspaceId, 'x509')
  return current?.fingerprint ?? ''
}

export const getChannelReadiness = endpoint({
  method: 'GET',
  path: '/applications/:application_id/channels/:channel_id/readiness',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'Get the readiness of a channel',
  description:
    'Reports for each format of the channel what its newest version lacks. Add signatures and other companion files as metadata artifacts of the build.',
  params: ChannelParams,
  returns: listOf(FormatReadiness),
  load: requireChannelOfPath,
  async handle({ application, channel, ...call }) {
    const newest = await findNewestEntry(call.db, channel)
    const files = createCompanionFiles()
    const read = (file: PublishedFile) => readCompanionFile(call, files, file)
    const describePackages: Feed['describePackages'] = (builds) => listPackageDetails(call.db, builds)
    const base = channelUrl(call, channel.id)
    const readUrl = channel.access === 'public' ? base : `${base}/k/{read_key}`
    const { origin } = new URL(base)
    const token = tokenOf(application.name)
    const data = await Promise.all(
      (channel.formats as FormatId[])
        .filter((format) => Object.hasOwn(formats, format))
        .map(async (format) => {
          const { name, rollout, paths, listMissing, setUp, index }: Adapter = formats[format]
          const missing =
            newest === undefined
              ? [{ message: 'Publish a version: the channel has no builds yet.' }]
              : await listMissing(newest, { read, describePackages })
          return {
            format,
            name,
            urls: paths.map((path) => `${base}/${format}/${path}`),
            setup:
              setUp?.({
                base: `${readUrl}/${format}`,
                origin,
                channelId: channel.id,
                token,
                fingerprint: index?.signedBy === 'x509' ? await fingerprintOf(call, channel) : '',
              }) ?? [],
            rollout,
            version: newest?.version ?? null,
            is_ready: missing.length === 0,
            missing,
          }
        }),
    )
    return { message: 'Readiness retrieved.', data }
  },
})

import type { CommandContext } from '../../command-context.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { listKeys } from '../api-keys/select-key.ts'
import type { Candidate } from './remote-values.ts'

export type RemoteOptions = {
  /** Whether to list what is in the trash. */
  trashed?: boolean
  /** Whether the command has the option `--workspace`. */
  workspace?: boolean
}

type ListValues = (context: CommandContext, options: RemoteOptions) => Promise<Candidate[]>

const perPage = 100

/** Lists the names, or the IDs of what has no unique name, with a description. */
export const listValues = {
  async application({ client, signal }, { trashed }) {
    const filter = trashed === true ? { trashed } : {}
    const { data } = await client().listApplications({ ...filter, per_page: perPage }, { signal })
    return data.flatMap(({ id, name }): Candidate[] => [
      [name, id],
      [id, name],
    ])
  },
  async build(context, { trashed }) {
    const { client, signal } = context
    const application_id = await requireApplicationId(context)
    const filter = trashed === true ? { trashed } : {}
    const { data } = await client().listBuilds(
      { application_id, ...filter, sort_by: 'created_at', sort: 'desc', per_page: perPage },
      { signal },
    )
    const builds = data.map(({ id, version, platform, stream }): Candidate => [
      id,
      `${version} ${platform.short_name} ${stream.name}`,
    ])
    return trashed === true ? builds : [['latest', 'the most recent build'], ...builds]
  },
  async stream(context) {
    const { client, signal } = context
    const application_id = await requireApplicationId(context)
    const { data } = await client().listStreams({ application_id }, { signal })
    return data.map(({ name, description }) => [name, description ?? ''])
  },
  async label(context, { workspace }) {
    const { client, signal } = context
    const { data } =
      workspace === true
        ? await client().listWorkspaceLabels({}, { signal })
        : await client().listLabels({ application_id: await requireApplicationId(context) }, { signal })
    return data.map(({ name, description }) => [name, description ?? ''])
  },
  async platform(context) {
    const { client, signal } = context
    const application_id = await requireApplicationId(context)
    const { data } = await client().listPlatforms({ application_id }, { signal })
    return data.map(({ identifier, name }) => [identifier, name])
  },
  async release(context) {
    const { client, signal } = context
    const application_id = await requireApplicationId(context)
    const { data } = await client().listReleases({ application_id, per_page: perPage }, { signal })
    return data.map(({ version, title }) => [version, title])
  },
  async key(context, { workspace }) {
    const isWorkspace = workspace === true || context.settings.application === undefined
    const keys = await listKeys(context, isWorkspace ? undefined : await requireApplicationId(context))
    return keys
      .filter(({ revoked_at }) => revoked_at === null)
      .flatMap(({ id, name, prefix }): Candidate[] => [
        [name, `${prefix}…`],
        [id, name],
      ])
  },
  async webhook(context) {
    const { client, signal } = context
    const application_id = await requireApplicationId(context)
    const { data } = await client().listWebhooks({ application_id, per_page: perPage }, { signal })
    return data.map(({ id, url }) => [id, url])
  },
} satisfies Record<string, ListValues>

export type RemoteKind = keyof typeof listValues

import type { CommandContext } from '../../../command-context.ts'
import { Failure } from '../../../failure.ts'
import { createWebApi, serviceUrl } from './git-hosting.ts'
import { probeFile } from './probe-file.ts'
import type { ReleaseService, ServiceOptions } from './release-source.ts'
import { fieldsOf, idOf, listOf, textOf, timeOf } from './untrusted-json.ts'
import type { Fields } from './untrusted-json.ts'
import { groupByVersion } from './version-groups.ts'
import type { UploadedBuild } from './version-groups.ts'
import type { WebApi } from './web-api.ts'

const perPage = 100
const maxPages = 1000

/** The platforms of Zealot and those of Quayside. */
const platforms: Record<string, string> = {
  ios: 'ios',
  android: 'android',
  macos: 'macos',
  windows: 'windows',
  linux: 'linux',
}

type Channel = {
  id: string
  key: string
  name: string
  platform: string
  scheme: string
  gitUrl: string | null
}

/** The builds of an app on Zealot. A scheme becomes a stream, and a version of a scheme becomes a release. */
export const zealot: ReleaseService = {
  options: ['url', 'fromApplication'],
  readsFolder: false,
  async open(context: CommandContext, options, { token }) {
    if (options.url === undefined || token === undefined)
      throw new Failure('usage', 'Name the Zealot server with --url, and set ZEALOT_TOKEN to your API token.')
    const server = serviceUrl(options, '')
    const api = createWebApi(context, {
      service: 'Zealot',
      base: server,
      token,
      variable: 'ZEALOT_TOKEN',
      // The token is a parameter of each request that needs it.
      authorize: () => ({}),
    })
    const query = `token=${encodeURIComponent(token)}`
    const app = await selectApp(api, query, options)
    const channels = channelsOf(app)
    const name = textOf(app['name']) ?? 'Zealot'
    return {
      id: `zealot ${server} ${idOf(app['id'])}`,
      name,
      description: null,
      repositoryUrl: channels.find(({ gitUrl }) => gitUrl !== null)?.gitUrl ?? null,
      repositoryHost: null,
      neverImported: 'people, devices, debug files, webhooks, custom fields and passwords of channels',
      unusable: [],
      async *releases() {
        const builds: UploadedBuild[] = []
        for (const channel of channels)
          for await (const release of listReleases(api, channel))
            builds.push(...describeBuild(context, api, { name, channel, release }))
        yield* groupByVersion(builds)
      },
    }
  },
}

/** Returns the app that `--from-application` names, or the only one. */
async function selectApp(api: WebApi, query: string, { fromApplication }: ServiceOptions): Promise<Fields> {
  if (fromApplication !== undefined)
    return fieldsOf(await api.json(`/api/apps/${encodeURIComponent(fromApplication)}?${query}`))
  const apps = listOf(await api.json(`/api/apps?${query}`))
  const [only] = apps
  if (only !== undefined && apps.length === 1) return only
  const names = apps.map((app) => `${idOf(app['id'])} (${textOf(app['name'])})`).join(', ')
  throw new Failure(
    'usage',
    `Choose an app with --from-application: ${names || 'the token has access to none'}.`,
  )
}

const channelsOf = (app: Fields): Channel[] =>
  listOf(app['schemes']).flatMap((scheme) =>
    listOf(scheme['channels']).flatMap((channel) => {
      const id = idOf(channel['id'])
      const key = textOf(channel['key'])
      if (id === null || key === null) return []
      const platform = (textOf(channel['device_type']) ?? '').toLowerCase()
      const name = textOf(channel['name']) ?? id
      return {
        id,
        key,
        name,
        platform,
        scheme: textOf(scheme['name']) ?? 'default',
        gitUrl: textOf(channel['git_url']),
      }
    }),
  )

async function* listReleases(api: WebApi, { key }: Channel): AsyncGenerator<Fields> {
  for (let page = 1; page <= maxPages; page++) {
    const query = new URLSearchParams({ channel_key: key, page: String(page), per_page: String(perPage) })
    const releases = listOf(fieldsOf(await api.json(`/api/apps/versions?${query.toString()}`))['releases'])
    yield* releases
    if (releases.length < perPage) return
  }
}

function describeBuild(
  context: CommandContext,
  api: WebApi,
  { name, channel, release }: { name: string; channel: Channel; release: Fields },
): UploadedBuild[] {
  const id = idOf(release['id'])
  const version = textOf(release['release_version'])
  if (id === null || version === null) return []
  const { scheme, platform } = channel
  const url = new URL(`${api.base}/download/releases/${encodeURIComponent(id)}`)
  const locate = async () => {
    const found = await probeFile({ service: 'Zealot', url, headers: {}, context }).catch(
      explainPassword(channel),
    )
    if (found === undefined) return undefined
    const { filename, sizeBytes } = found
    if (filename === undefined) throw new Failure('failed', 'Zealot does not report its name.')
    return { filename, sizeBytes, checksum: undefined, url: () => Promise.resolve(url.href) }
  }
  return [
    {
      id,
      filename: `${name} ${version} (${id})`,
      uploadedAt: timeOf(release['created_at']),
      locate,
      group: scheme,
      variant: channel.id,
      isEnabled: true,
      title: `${scheme} ${version}`,
      build: {
        version,
        buildNumber: textOf(release['build_version']),
        notes: textOf(release['text_changelog']),
        platform: platforms[platform] ?? 'generic',
        stream: scheme,
        // The usual name of a channel is that of its platform.
        labels: channel.name.toLowerCase() === platform ? [] : [channel.name],
        branch: textOf(release['branch']),
        commit: textOf(release['git_commit']),
        runUrl: textOf(release['ci_url']),
      },
    },
  ]
}

/** Zealot redirects the download from a channel with a password to a web page. */
const explainPassword =
  ({ name, scheme }: Channel) =>
  (error: unknown): never => {
    if (!(error instanceof Failure) || !error.message.includes('is a web page')) throw error
    throw new Failure(
      'failed',
      `The channel ${name} of ${scheme} has a password. Remove it until the import is complete.`,
    )
  }

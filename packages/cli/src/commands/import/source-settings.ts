import { allItems, QuaysideError } from '@quayside/sdk'
import type { CustomTarget, DistributionGroup, QuaysideClient, ShareLink, Webhook } from '@quayside/sdk'

export type SourceIcon = { content_type: 'image/png' | 'image/jpeg' | 'image/webp'; data: string }

export type SourceTarget = Pick<CustomTarget, 'name' | 'description' | 'level'> & {
  platform: string
  icon: SourceIcon | null
}
export type SourceWebhook = Pick<
  Webhook,
  'id' | 'url' | 'event' | 'description' | 'format' | 'is_active' | 'secret_configured'
> & { stream: string | null; label: string | null }

export type SourceShareLink = Pick<
  ShareLink,
  | 'id'
  | 'shareable_type'
  | 'shareable_id'
  | 'is_active'
  | 'password_protected'
  | 'expires_at'
  | 'max_downloads'
  | 'download_count'
> &
  Partial<Pick<ShareLink, 'feedback_enabled'>>
export type SourceGroup = Pick<
  DistributionGroup,
  'id' | 'name' | 'description' | 'is_active' | 'type' | 'icon_type' | 'icon_emoji_code' | 'icon_set_value'
> &
  Partial<Pick<DistributionGroup, 'feedback_enabled'>> & {
    members: string[]
    releases: { id: string; notify: boolean }[]
  }

/** What an application has besides its builds and releases. The API contract does not guarantee any of it. */
export type SourceSettings = {
  icon: SourceIcon | null
  custom_targets: SourceTarget[]
  webhooks: SourceWebhook[]
  share_links: SourceShareLink[]
  distribution_groups: SourceGroup[]
  /** What the key may not read or the server does not have, each with the reason. */
  unreadable: { what: string; reason: string }[]
}

export const noSettings: SourceSettings = {
  icon: null,
  custom_targets: [],
  webhooks: [],
  share_links: [],
  distribution_groups: [],
  unreadable: [],
}

type Reader = {
  client: QuaysideClient
  application_id: string
  signal: AbortSignal
  unreadable: SourceSettings['unreadable']
}

/** Reads the settings of an application as far as the key may read them. */
export async function readSettings(
  client: QuaysideClient,
  application_id: string,
  signal: AbortSignal,
): Promise<SourceSettings> {
  const unreadable: SourceSettings['unreadable'] = []
  const reader = { client, application_id, signal, unreadable }
  const { data } = await client.getApplication({ application_id }, { signal })
  return {
    icon: await readIcon(reader, data.icon_url),
    custom_targets: await readable(reader, 'custom targets', [], () => readTargets(reader)),
    webhooks: await readable(reader, 'webhooks', [], () => readWebhooks(reader)),
    share_links: await readable(reader, 'share links', [], () => readShareLinks(reader)),
    distribution_groups: await readable(reader, 'distribution groups', [], () => readGroups(reader)),
    unreadable,
  }
}

/** Returns `fallback` if the key may not read something or the server does not have it. */
async function readable<T>(
  { unreadable }: Reader,
  what: string,
  fallback: T,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof QuaysideError) || ![403, 404, 405].includes(error.status)) throw error
    const reason = error.status === 403 ? error.message : 'The other server does not provide them.'
    unreadable.push({ what, reason })
    return fallback
  }
}

/** Downloads an icon. A server may return URLs of another site, from which nothing is downloaded. */
async function readIcon(
  { client, signal }: Reader,
  url: string | null | undefined,
): Promise<SourceIcon | null> {
  const id = /\/public\/icons\/([\w-]+)$/.exec(url ?? '')?.[1]
  if (id === undefined) return null
  const bytes = Buffer.from(await client.getIcon({ icon_id: id }, { signal }))
  const content_type = imageType(bytes)
  return content_type === undefined ? null : { content_type, data: bytes.toString('base64') }
}

function imageType(bytes: Buffer): SourceIcon['content_type'] | undefined {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\u0089PNG')) return 'image/png'
  if (start.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg'
  return /^RIFF.{4}WEBP$/s.test(start) ? 'image/webp' : undefined
}

async function readTargets(reader: Reader): Promise<SourceTarget[]> {
  const { client, application_id, signal } = reader
  const targets: SourceTarget[] = []
  for (const target of (await client.listCustomTargets({ application_id }, { signal })).data) {
    const { name, description, level, platform } = target
    const icon = await readIcon(reader, target.icon_url)
    targets.push({ name, description, level, platform: platform.identifier, icon })
  }
  return targets
}

async function readWebhooks({ client, application_id, signal }: Reader): Promise<SourceWebhook[]> {
  const webhooks = await allItems((page) => client.listWebhooks({ application_id, page }, { signal }))
  return webhooks.map((webhook) => ({
    id: webhook.id,
    url: webhook.url,
    event: webhook.event,
    description: webhook.description,
    format: webhook.format,
    is_active: webhook.is_active,
    secret_configured: webhook.secret_configured,
    stream: webhook.event_subscription.stream?.name ?? null,
    label: webhook.event_subscription.label?.name ?? null,
  }))
}

async function readShareLinks({ client, application_id, signal }: Reader): Promise<SourceShareLink[]> {
  const links: SourceShareLink[] = []
  let hasEndpoint = false
  const add = async (list: () => Promise<{ data: ShareLink[] }>) => {
    const found = await list().catch((error: unknown) => {
      // The build or release was deleted after it was listed.
      if (hasEndpoint && error instanceof QuaysideError && error.status === 404) return { data: [] }
      throw error
    })
    hasEndpoint = true
    for (const link of found.data) links.push(describeLink(link))
  }
  const call = { signal }
  for (const { id: build_id } of await allItems((page) =>
    client.listBuilds({ application_id, page, per_page: 100 }, call),
  ))
    await add(() => client.listBuildShareLinks({ application_id, build_id }, call))
  for (const { id: release_id } of await allItems((page) =>
    client.listReleases({ application_id, page, per_page: 100 }, call),
  ))
    await add(() => client.listReleaseShareLinks({ application_id, release_id }, call))
  return links
}

const describeLink = (link: ShareLink): SourceShareLink => ({
  id: link.id,
  shareable_type: link.shareable_type,
  shareable_id: link.shareable_id,
  is_active: link.is_active,
  password_protected: link.password_protected,
  expires_at: link.expires_at,
  max_downloads: link.max_downloads,
  download_count: link.download_count,
  feedback_enabled: link.feedback_enabled,
})

/** Reads the distribution groups of the workspace that have releases of the application. */
async function readGroups({ client, application_id, signal, unreadable }: Reader): Promise<SourceGroup[]> {
  const groups: SourceGroup[] = []
  for (const group of await allItems((page) => client.listDistributionGroups({ page }, { signal }))) {
    const distribution_group_id = group.id
    const releases = (
      await allItems((page) =>
        client.listDistributionGroupReleases({ distribution_group_id, page }, { signal }),
      )
    ).filter((release) => release.application_id === application_id)
    if (releases.length === 0) continue
    const members = await allItems((page) =>
      client.listDistributionGroupMembers({ distribution_group_id, page }, { signal }),
    )
    const emails = members.flatMap(({ email }) => email ?? [])
    if (emails.length < members.length)
      unreadable.push({
        what: `members of the distribution group ${group.name}`,
        reason: 'The key lacks members:read, so it cannot read their addresses.',
      })
    const { id, name, description, is_active, type, icon_type, icon_emoji_code, icon_set_value } = group
    const { feedback_enabled } = group
    groups.push({
      id,
      name,
      description,
      is_active,
      type,
      icon_type,
      icon_emoji_code,
      icon_set_value,
      feedback_enabled,
      members: emails,
      releases: releases.map((release) => ({ id: release.id, notify: release.notify })),
    })
  }
  return groups
}

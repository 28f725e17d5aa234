import { QuaysideError } from '@quayside/sdk'
import type { QuaysideClient } from '@quayside/sdk'
import { Failure } from '../../failure.ts'
import type { ImportReport } from './import-report.ts'
import type { ImportState } from './import-state.ts'
import type { SourceGroup, SourceSettings, SourceShareLink, SourceWebhook } from './source-settings.ts'

type Work = {
  client: QuaysideClient
  application_id: string
  settings: SourceSettings
  state: ImportState
  report: ImportReport
  signal: AbortSignal
}

/** Adds the icon and the custom targets. Builds refer to custom targets, so this comes before them. */
export async function importAppearance({
  client,
  application_id,
  settings,
  report,
  signal,
}: Omit<Work, 'state'>): Promise<void> {
  const call = { signal, idempotent: true }
  const { icon, custom_targets } = settings
  if (icon !== null)
    await report.attempt('icon', 'of the application', async () => {
      const { data } = await client.getApplication({ application_id }, { signal })
      if (data.icon_url !== null) return false
      await client.replaceApplicationIcon({ application_id, body: icon }, call)
      return true
    })
  const existing = (await client.listCustomTargets({ application_id }, { signal })).data
  for (const target of custom_targets) {
    const isSame = ({ name }: { name: string }) => name.toLowerCase() === target.name.toLowerCase()
    const found = existing.find(isSame)
    if (found !== undefined && (found.icon_url !== null || target.icon === null)) continue
    await report.attempt('custom target', target.name, async () => {
      const { name, description, platform } = target
      if (found === undefined)
        await client.createCustomTarget({ application_id, body: { name, description, platform } }, { signal })
      // The icon of a custom target that existed before belongs to others.
      if (target.icon !== null && found?.level !== 'workspace')
        await client.replaceCustomTargetIcon(
          { application_id, target_identifier: name, body: target.icon },
          call,
        )
      return found === undefined
    })
  }
}

/** Adds what refers to builds and releases. Webhooks come last, so that they send nothing about the import itself. */
export async function importSharing(work: Work): Promise<void> {
  const { settings, report } = work
  report.notImported.push(...settings.unreadable)
  for (const link of settings.share_links) await importShareLink(work, link)
  for (const group of settings.distribution_groups) await importGroup(work, group)
  for (const webhook of settings.webhooks) await importWebhook(work, webhook)
}

async function importShareLink(work: Work, link: SourceShareLink): Promise<void> {
  const { client, application_id, state, report, signal } = work
  const {
    shareable_type: type,
    is_active,
    expires_at,
    max_downloads,
    download_count,
    feedback_enabled,
  } = link
  const id = state.find(type, link.shareable_id)
  const name = `to the ${type} ${id ?? link.shareable_id}`
  const skip = (reason: string) => void report.createAgain.push({ type: 'share link', name, reason })
  if (id === undefined) return skip(`The ${type} was not imported.`)
  if (link.password_protected) return skip('It has a password, which the API does not return.')
  if (state.find('share_link', link.id) !== undefined) return
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return
  if (max_downloads !== null && max_downloads <= download_count) return
  const body = {
    is_active,
    expires_at,
    max_downloads: max_downloads === null ? null : max_downloads - download_count,
    // Folders of earlier versions do not have it.
    ...(feedback_enabled === undefined ? {} : { feedback_enabled }),
  }
  const call = { signal, idempotencyKey: state.keyOf(`share_link ${link.id}`) }
  await report.attempt('share link', name, async () => {
    const { data } =
      type === 'build'
        ? await client.createBuildShareLink({ application_id, build_id: id, body }, call)
        : await client.createReleaseShareLink({ application_id, release_id: id, body }, call)
    await state.add('share_link', link.id, data.id)
    return true
  })
}

async function importWebhook(work: Work, webhook: SourceWebhook): Promise<void> {
  const { client, application_id, state, report, signal } = work
  const { url, event, description, format, stream, label, secret_configured } = webhook
  const name = `${url} (${event})`
  if (secret_configured)
    report.createAgain.push({
      type: 'webhook secret',
      name: `of ${name}`,
      reason: 'Set the secret, then activate the webhook. The API does not return secrets.',
    })
  if (state.find('webhook', webhook.id) !== undefined) return
  // Without its secret, a request could not be verified by its receiver.
  const is_active = webhook.is_active && !secret_configured
  const body = { url, event, description, format, stream, label, is_active }
  await report.attempt('webhook', name, async () => {
    const { data } = await client.createWebhook(
      { application_id, body },
      { signal, idempotencyKey: state.keyOf(`webhook ${webhook.id}`) },
    )
    await state.add('webhook', webhook.id, data.id)
    return true
  })
}

async function importGroup(work: Work, group: SourceGroup): Promise<void> {
  const { client, state, report, signal } = work
  const call = { signal, idempotent: true }
  await report.attempt('distribution group', group.name, async () => {
    const previous = state.find('group', group.id)
    const distribution_group_id = previous ?? (await createGroup(work, group))
    for (let first = 0; first < group.members.length; first += 1000)
      await client.createDistributionGroupMembers(
        { distribution_group_id, body: { emails: group.members.slice(first, first + 1000) } },
        call,
      )
    for (const release of group.releases) {
      const release_id = state.find('release', release.id)
      if (release_id === undefined) continue
      const { data } = await client.getRelease(
        { application_id: work.application_id, release_id },
        { signal },
      )
      // Members were notified of published releases by the other server.
      const notify = release.notify && (data.status === 'draft' || data.status === 'scheduled')
      await client
        .addDistributionGroupRelease({ distribution_group_id, body: { release_id, notify } }, call)
        .catch(ignoreConflict)
    }
    return previous === undefined
  })
}

/** Creates the group. A group with its name may belong to other applications, so a number is added to the name. */
async function createGroup({ client, state, signal }: Work, group: SourceGroup): Promise<string> {
  const { description, is_active, type, icon_type, icon_emoji_code, icon_set_value } = group
  const { feedback_enabled } = group
  const fields = {
    description,
    is_active,
    type,
    icon_type,
    icon_emoji_code,
    icon_set_value,
    ...(feedback_enabled === undefined ? {} : { feedback_enabled }),
  }
  for (let number = 1; number <= 100; number++) {
    const name = number === 1 ? group.name : `${group.name.slice(0, 90)} (${number})`
    const created = await client
      .createDistributionGroup(
        { body: { name, ...fields } },
        { signal, idempotencyKey: state.keyOf(`group ${group.id} ${number}`) },
      )
      .catch(ignoreConflict)
    if (created === undefined) continue
    await state.add('group', group.id, created.data.id)
    return created.data.id
  }
  throw new Failure('failed', `There is no free name for the distribution group ${group.name}. Rename it.`)
}

function ignoreConflict(error: unknown): undefined {
  if (!(error instanceof QuaysideError) || error.status !== 409) throw error
}

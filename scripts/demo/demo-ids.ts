import type { QuaysideClient } from '@quayside/sdk'

export type DemoIds = Awaited<ReturnType<typeof findDemoIds>>

/**
 * Returns the IDs of one resource of each kind in the demo workspace. They belong to the last application in the order of
 * names that has a published release with a build whose package was read, and a webhook.
 */
export async function findDemoIds(client: QuaysideClient) {
  const { data: applications } = await client.listApplications({ sort_by: 'name', sort: 'desc' })
  const [portal] = (await client.listPortals()).data
  const [group] = (await client.listDistributionGroups()).data
  const [team] = (await client.listTeams()).data
  for (const { id: application } of applications) {
    const published = (
      await client.listReleases({ application_id: application, sort_by: 'created_at', sort: 'desc' })
    ).data.find(({ status, build_count }) => status === 'published' && build_count > 0)
    if (published === undefined) continue
    const { data: release } = await client.getRelease({
      application_id: application,
      release_id: published.id,
    })
    const build = release.builds.find(
      ({ icon_url, processing_error }) => icon_url !== null && processing_error === null,
    )
    const webhook = await findBusyWebhook(client, application)
    if (!build || !webhook || !portal || !group || !team) continue
    return {
      application,
      build: build.id,
      release: release.id,
      webhook: webhook.id,
      webhookRequest: webhook.request ?? '',
      portal: portal.id,
      group: group.id,
      team: team.id,
      shareLink: await findShareLink(client, application, release.id),
    }
  }
  throw new Error('No application of the demo has a package, a release and a webhook.')
}

/** Returns the webhook with the recent request that was delivered after the most attempts, and that request. */
async function findBusyWebhook(client: QuaysideClient, application_id: string) {
  const { data: webhooks } = await client.listWebhooks({ application_id })
  const found = await Promise.all(
    webhooks.map(async ({ id }) => {
      const { data } = await client.listWebhookRequests({
        application_id,
        webhook_id: id,
        sort: 'desc',
        per_page: 25,
      })
      const delivered = data.filter(({ state }) => state === 'delivered')
      const [request] = delivered.toSorted((one, other) => other.delivery_attempts - one.delivery_attempts)
      return { id, request: request?.id, attempts: request?.delivery_attempts ?? 0, count: delivered.length }
    }),
  )
  return found.toSorted((one, other) => other.attempts - one.attempts || other.count - one.count)[0]
}

/** Returns the URL of a share link of the release without a password, which is created if there is none. */
async function findShareLink(client: QuaysideClient, application_id: string, release_id: string) {
  const { data: links } = await client.listReleaseShareLinks({ application_id, release_id })
  const usable = links.find((link) => link.is_active && !link.expired && !link.password_protected)
  if (usable !== undefined) return usable.url
  const expires_at = new Date(Date.now() + 7 * 86_400_000).toISOString()
  const body = { expires_at, max_downloads: 50 }
  return (await client.createReleaseShareLink({ application_id, release_id, body })).data.url
}

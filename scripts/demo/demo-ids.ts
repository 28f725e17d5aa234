import type { QuaysideClient } from '@quayside/sdk'

export type DemoIds = Awaited<ReturnType<typeof findDemoIds>>

/**
 * Returns the IDs of one resource of each kind in the demo workspace. They belong to the first application in the order
 * of names that has a build with package metadata, a published release and a webhook.
 */
export async function findDemoIds(client: QuaysideClient) {
  const { data: applications } = await client.listApplications({ sort_by: 'name', sort: 'desc' })
  const [portal] = (await client.listPortals()).data
  const [group] = (await client.listDistributionGroups()).data
  for (const { id: application } of applications) {
    const newest = {
      application_id: application,
      per_page: 100,
      sort_by: 'created_at',
      sort: 'desc',
    } as const
    const build = (await client.listBuilds(newest)).data.find(({ icon_url }) => icon_url !== null)
    const releases = (await client.listReleases({ application_id: application })).data
    const release = releases.find(({ status }) => status === 'published')
    const [webhook] = (await client.listWebhooks({ application_id: application })).data
    if (!build || !release || !webhook || !portal || !group) continue
    return {
      application,
      build: build.id,
      release: release.id,
      webhook: webhook.id,
      portal: portal.id,
      group: group.id,
    }
  }
  throw new Error('No application of the demo has a package, a release and a webhook.')
}

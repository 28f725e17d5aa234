import { api } from '../../../api/client.ts'
import { futureTimestamp } from '../schedule-times.ts'
import { releasePath } from '../use-release-change.ts'
import { parseVersion } from '../version.ts'
import type { Created, NewRelease } from './use-new-release.ts'

/**
 * Creates a release and adds it to its groups and portals. With an audience, the release stays a draft until it is in
 * all of them, so that nobody is missed and no one gets half of it. Throws if the release cannot be created.
 */
export async function createRelease(applicationId: string, values: NewRelease): Promise<Created> {
  const { builds, version, title, notes, labels, groups, portals, publication } = values
  const fields = parseVersion(version)
  if (fields === undefined) throw new Error('The version was not checked.')
  const scheduledFor = publication === 'scheduled' ? futureTimestamp(values.scheduledFor) : undefined
  const hasAudience = groups.size > 0 || portals.length > 0
  const isDraft = publication === 'draft' || hasAudience
  const { data: release } = await api.createRelease({
    application_id: applicationId,
    body: {
      ...fields,
      title,
      notes: notes.trim() === '' ? null : notes,
      labels,
      build_ids: builds.map(({ id }) => id),
      draft: isDraft,
      ...(isDraft || scheduledFor === undefined ? {} : { scheduled_for: scheduledFor }),
    },
  })
  if (!hasAudience) return { release, notifiedCount: 0 }
  try {
    for (const [groupId, notify] of groups)
      await api.addDistributionGroupRelease({
        distribution_group_id: groupId,
        body: { release_id: release.id, notify },
      })
    for (const portalId of portals)
      await api.publishPortalRelease({ portal_id: portalId, body: { release_id: release.id } })
    const path = releasePath(release)
    if (publication === 'draft') return { release, notifiedCount: 0 }
    if (scheduledFor !== undefined) {
      const { data } = await api.scheduleRelease({ ...path, body: { scheduled_for: scheduledFor } })
      return { release: data, notifiedCount: 0 }
    }
    const { data, notified_count: notifiedCount } = await api.publishRelease(path)
    return { release: data, notifiedCount }
  } catch (failure) {
    return { release, notifiedCount: 0, failure }
  }
}

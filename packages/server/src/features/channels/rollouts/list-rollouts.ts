import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { listOf } from '../../../http/endpoint/responses.ts'
import { requireChannelOfPath } from '../channel.db.ts'
import { ChannelParams } from '../channel.ts'
import { requirePublication } from '../feeds/publication.ts'
import { Rollout, rolloutResource } from './rollout-resource.ts'
import { sortKeyOf } from './version-order.ts'

const maxVersions = 50

export const listRollouts = endpoint({
  method: 'GET',
  path: '/applications/:application_id/channels/:channel_id/rollout',
  scope: { workspace: 'releases:read', application: 'releases:read' },
  summary: 'List rollouts',
  description: `Lists how the channel offers its ${maxVersions} newest versions, newest first, including versions with a rollout that are not published yet.`,
  params: ChannelParams,
  returns: listOf(Rollout),
  load: requireChannelOfPath,
  async handle({ channel, db, clock }) {
    const { entries, rollouts } = await requirePublication(db, channel.id)
    const nowMs = clock.now().getTime()
    const published = entries.map(({ version, sortKey, rollout }) => ({
      sortKey,
      resource: rolloutResource(version, rollout, { isPublished: true, nowMs }),
    }))
    const known = new Set(entries.map(({ version }) => version))
    const planned = [...rollouts]
      .filter(([version]) => !known.has(version))
      .map(([version, rules]) => ({
        sortKey: sortKeyOf(version) ?? '',
        resource: rolloutResource(version, rules, { isPublished: false, nowMs }),
      }))
    const newestFirst = [...published, ...planned].toSorted((a, b) =>
      a.sortKey === b.sortKey ? 0 : a.sortKey < b.sortKey ? 1 : -1,
    )
    return {
      message: 'Rollouts retrieved.',
      data: newestFirst.slice(0, maxVersions).map(({ resource }) => resource),
    }
  },
})

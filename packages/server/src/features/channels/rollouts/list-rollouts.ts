import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { listOf } from '../../../http/endpoint/responses.ts'
import { formatVersion } from '../../../lib/semver.ts'
import { requireChannelOfPath } from '../channel.db.ts'
import { ChannelParams } from '../channel.ts'
import { listPublishedRows } from '../feeds/publication.db.ts'
import { listReports } from './rollout-report.db.ts'
import { offeredToEveryone } from './rollout-rules.ts'
import { listRolloutRules } from './rollout.db.ts'
import { Rollout, rolloutResource } from './rollout.ts'
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
    const [rows, rollouts, reports] = await Promise.all([
      listPublishedRows(db, channel),
      listRolloutRules(db, channel.id),
      listReports(db, channel.id),
    ])
    const nowMs = clock.now().getTime()
    const sortKeys = new Map(rows.map((row) => [formatVersion(row), row.sort_key]))
    const published = [...sortKeys].map(([version, sortKey]) => ({
      sortKey,
      resource: rolloutResource(version, rollouts.get(version) ?? offeredToEveryone, {
        isPublished: true,
        nowMs,
        reports: reports.get(version),
      }),
    }))
    const planned = [...rollouts]
      .filter(([version]) => !sortKeys.has(version))
      .map(([version, rules]) => ({
        sortKey: sortKeyOf(version) ?? '',
        resource: rolloutResource(version, rules, {
          isPublished: false,
          nowMs,
          reports: reports.get(version),
        }),
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

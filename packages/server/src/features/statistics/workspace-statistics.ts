import { Type, type Static } from 'typebox'
import { platformResource } from '../../catalog/platforms.ts'
import { Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import { versionOf } from '../../http/endpoint/version-parts.ts'
import { formatVersion } from '../../lib/semver.ts'
import { iconUrl } from '../icons/icon.ts'
import { Platform } from '../platforms/platform.ts'
import { bytesPerDay, countsPerDay, DailyBytes, DailyCounts, Days, daysOf, sumOf } from './daily-series.ts'
import type { Period } from './statistics.db.ts'
import type {
  listApplicationTotals,
  listDailyChanges,
  listNewestBuilds,
  NewestBuild,
} from './workspace-statistics.db.ts'

const NewestBuildSummary = Type.Object(
  {
    id: Type.String(),
    version: Type.String({ description: 'Full semantic version.' }),
    build_number: Nullable(Type.String()),
    platform: Platform,
    created_at: Timestamp,
  },
  { title: 'NewestBuild' },
)

const totals = {
  build_count: Type.Integer({ minimum: 0, description: 'Number of builds, excluding the trash.' }),
  stored_bytes: Type.Integer({ minimum: 0, description: 'Bytes stored now, including builds in the trash.' }),
  uploads: DailyCounts,
  storage: DailyBytes,
}

const ApplicationSummary = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    icon_url: Nullable(Type.String()),
    ...totals,
    newest_builds: Type.Array(NewestBuildSummary, {
      description: 'The newest build of each platform, newest first.',
    }),
  },
  { title: 'ApplicationSummary' },
)

export const WorkspaceStatistics = Type.Object(
  {
    days: Days,
    applications: Type.Array(ApplicationSummary, { description: 'The first 50 applications by name.' }),
    truncated: Type.Boolean({ description: 'Whether there are more applications than are listed.' }),
    totals: Type.Object(
      { application_count: Type.Integer({ minimum: 0 }), ...totals },
      { description: 'Totals of all applications that the caller can access, including those not listed.' },
    ),
  },
  { title: 'WorkspaceStatistics' },
)

type Found = {
  applications: Awaited<ReturnType<typeof listApplicationTotals>>
  changes: Awaited<ReturnType<typeof listDailyChanges>>
  newest: Awaited<ReturnType<typeof listNewestBuilds>>
  publicUrl: string
}

export function workspaceStatistics(
  { applications, changes, newest, publicUrl }: Found,
  period: Period,
): Static<typeof WorkspaceStatistics> {
  const changesById = Map.groupBy(changes, ({ application_id }) => application_id)
  const buildsById = Map.groupBy(newest, ({ application_id }) => application_id)
  const [first] = applications
  const applicationCount = first?.all_applications ?? 0
  return {
    days: daysOf(period),
    applications: applications.map(({ id, name, icon_object_key, build_count, stored_bytes }) => ({
      id,
      name,
      icon_url: iconUrl(publicUrl, icon_object_key),
      build_count,
      stored_bytes,
      ...dailyTotals(changesById.get(id) ?? [], stored_bytes, period),
      newest_builds: (buildsById.get(id) ?? []).map(newestBuild),
    })),
    truncated: applicationCount > applications.length,
    totals: {
      application_count: applicationCount,
      build_count: first?.all_builds ?? 0,
      stored_bytes: first?.all_bytes ?? 0,
      ...dailyTotals(changes, first?.all_bytes ?? 0, period),
    },
  }
}

/** Returns the uploads per day and the stored bytes, which are computed from the bytes stored now. */
function dailyTotals(changes: Found['changes'], storedBytes: number, period: Period) {
  const ofKind = (wanted: 'uploads' | 'stored_bytes') => changes.filter(({ kind }) => kind === wanted)
  const byteChanges = ofKind('stored_bytes')
  const bytesBefore = storedBytes - sumOf(byteChanges.map(({ amount }) => amount))
  return {
    uploads: countsPerDay(ofKind('uploads'), period),
    storage: bytesPerDay([{ days_ago: period.days, amount: bytesBefore }, ...byteChanges], period),
  }
}

function newestBuild(row: NewestBuild): Static<typeof NewestBuildSummary> {
  const { id, build_number, platform, created_at } = row
  return {
    id,
    version: formatVersion(versionOf(row)),
    build_number,
    platform: platformResource(platform),
    created_at,
  }
}

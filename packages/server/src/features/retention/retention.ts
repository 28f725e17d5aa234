import { Type, type Static } from 'typebox'
import { platformResource } from '../../catalog/platforms.ts'
import { Nullable, SizeBytes, Timestamp } from '../../http/endpoint/fields.ts'
import { keptBy, keptByFields } from '../../http/endpoint/kept-by.ts'
import { sizeString } from '../../lib/sizes.ts'
import { versionFields, versionResource } from '../builds/build.ts'
import { Platform } from '../platforms/platform.ts'
import type { PreviewedBuild, PreviewTotals } from './retention.db.ts'

const Sum = Type.Object({
  builds: Type.Integer(),
  size_total_bytes: SizeBytes,
  size_total_string: Type.String(),
})

export const RetentionSummary = Type.Object(
  {
    retention_days: Nullable(
      Type.Integer({ description: 'The setting used for the preview. If `null`, builds never expire.' }),
    ),
    trash_days: Type.Integer({ description: 'Number of days for which a deleted build can be restored.' }),
    due: { ...Sum, description: 'Builds that move to the trash at the next run, within the hour.' },
    goes: Type.Object(
      {
        ...Sum.properties,
        freed_bytes: Type.Integer({
          description:
            'Bytes that the storage no longer holds once the builds were purged. They differ from their size if builds share bytes.',
        }),
        freed_string: Type.String(),
      },
      {
        description:
          'Builds that move to the trash when they expire, unless they become exempt from retention before then. Includes builds that are already due.',
      },
    ),
    stays: { ...Sum, description: 'Builds that are kept.' },
  },
  { title: 'RetentionSummary' },
)

const RetentionReason = Type.Object(
  { reason: Type.Enum(['keep_forever', 'release', 'share_link', 'stream']), ...keptByFields },
  { title: 'RetentionReason' },
)

export const RetentionOutcome = Type.Object(
  {
    build: Type.Object({
      id: Type.String(),
      ...versionFields,
      build_number: Nullable(Type.String()),
      platform: Platform,
      size_total_bytes: SizeBytes,
      size_total_string: Type.String(),
      created_at: Timestamp,
    }),
    outcome: Type.Enum(['goes', 'stays']),
    goes_at: Nullable(
      Type.String({
        ...Timestamp,
        description: 'When the build moves to the trash. If this time has passed, it moves at the next run.',
      }),
    ),
    kept_by: Type.Array(RetentionReason, { description: 'Why the build is kept; empty if it is not kept.' }),
  },
  { title: 'RetentionOutcome' },
)

export function retentionOutcome(
  row: PreviewedBuild,
  retentionDays: number | null,
): Static<typeof RetentionOutcome> {
  const keptBy = reasons(row, retentionDays)
  const { id, build_number, size_total_bytes, created_at } = row
  return {
    build: {
      id,
      ...versionResource(row),
      build_number,
      platform: platformResource(row.platform),
      size_total_bytes,
      size_total_string: sizeString(size_total_bytes),
      created_at,
    },
    outcome: keptBy.length === 0 ? 'goes' : 'stays',
    goes_at: keptBy.length === 0 ? row.goes_at : null,
    kept_by: keptBy,
  }
}

function reasons(row: PreviewedBuild, retentionDays: number | null): Static<typeof RetentionReason>[] {
  const found: Static<typeof RetentionReason>[] = keptBy(row.keepers)
  return retentionDays === null
    ? [...found, { reason: 'stream', message: 'Its stream keeps builds indefinitely.' }]
    : found
}

export function retentionSummary(
  totals: PreviewTotals,
  retentionDays: number | null,
  trashDays: number,
): Static<typeof RetentionSummary> {
  const { all_builds, all_bytes, kept_builds, kept_bytes, due_builds, due_bytes } = totals
  const stays = retentionDays === null ? sum(all_builds, all_bytes) : sum(kept_builds, kept_bytes)
  const goes = sum(all_builds - stays.builds, all_bytes - stays.size_total_bytes)
  const freedBytes = Math.max(0, goes.size_total_bytes + totals.freed_besides_sizes)
  return {
    retention_days: retentionDays,
    trash_days: trashDays,
    due: sum(due_builds, due_bytes),
    goes: { ...goes, freed_bytes: freedBytes, freed_string: sizeString(freedBytes) },
    stays,
  }
}

const sum = (builds: number, bytes: number) => ({
  builds,
  size_total_bytes: bytes,
  size_total_string: sizeString(bytes),
})

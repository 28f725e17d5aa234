import { parseSize } from '../lib/sizes.ts'
import type { SettingReader } from './setting-reader.ts'

/** An amount of disk space: a size, or a percentage of the disk that contains the storage folder. */
export type DiskReserve = { bytes: number } | { percent: number }

export type FileSettings = {
  /** The disk space that uploads leave free; undefined means 5% within fixed bounds. */
  diskReserve: DiskReserve | undefined
  /** Maximum size of files between which patches are created; 0 means that none are created. */
  patchMaxMb: number
  /** Maximum percentage of the stored files that one run may treat as orphans; 100 means no limit. */
  orphanLimitPercent: number
  /** The nginx `internal` location that serves the storage folder, with a trailing slash. */
  accelRedirectPrefix: string | undefined
  /** The name or ID of the group whose permissions nginx uses to read files. */
  storageGroup: string | undefined
}

type Reader = Pick<SettingReader, 'setting' | 'problems'>

export const readFiles = (reader: Reader & Pick<SettingReader, 'integer'>): FileSettings => ({
  diskReserve: readDiskReserve(reader, 'QUAYSIDE_DISK_RESERVE'),
  patchMaxMb: reader.integer('QUAYSIDE_PATCH_MAX_MB', 1024, 0, 16_384),
  orphanLimitPercent: reader.integer('QUAYSIDE_ORPHAN_LIMIT_PERCENT', 1, 0, 100),
  accelRedirectPrefix: readLocation(reader, 'QUAYSIDE_ACCEL_REDIRECT_PREFIX'),
  storageGroup: readGroup(reader, 'QUAYSIDE_STORAGE_GROUP'),
})

function readDiskReserve({ setting, problems }: Reader, name: string): DiskReserve | undefined {
  const value = setting(name)
  if (value === undefined) return undefined
  const percent = Number(/^(\d{1,2}(?:\.\d{1,3})?) ?%$/.exec(value)?.[1])
  if (!Number.isNaN(percent)) return { percent }
  const bytes = parseSize(value)
  if (bytes !== undefined) return { bytes }
  problems.push(`${name} must be a size such as 20 GB or a percentage such as 5%, not "${value}".`)
  return undefined
}

function readLocation({ setting, problems }: Reader, name: string): string | undefined {
  const value = setting(name)
  if (value === undefined) return undefined
  if (
    !/^(\/[\w.~-]+)+\/*$/.test(value) ||
    /^\/(api|storage|docs|cli|livez|readyz|s|\.well-known)(\/|$)/.test(value)
  )
    problems.push(
      `${name} must be a path such as /internal/ that is not used for anything else, not "${value}".`,
    )
  return `${value.replace(/\/+$/, '')}/`
}

function readGroup({ setting, problems }: Reader, name: string): string | undefined {
  const value = setting(name)
  if (value !== undefined && !/^(\d{1,9}|[a-z_][\w.-]*)$/i.test(value))
    problems.push(`${name} must be the name or the numeric ID of a group, not "${value}".`)
  return value
}

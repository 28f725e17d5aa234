import type { Command } from 'commander'
import { requireVersion } from './choose-version.ts'

export type VersionOptions = { version?: string; extra?: string; meta?: string }

/** Adds the options that set the version of a build or release. */
export function withVersionOptions(command: Command): Command {
  return command
    .option('--version <version>', 'version such as 1.2.3 or 1.2.3-rc.1')
    .option('--extra <label>', 'pre-release label of the version, such as beta.2 ("" removes it)')
    .option('--meta <text>', 'build metadata of the version ("" removes it)')
}

type VersionFields = {
  version_component_1_major: number
  version_component_2_minor: number
  version_component_3_patch: number
  version_component_extra: string | null
  version_component_meta: string | null
}

/** Returns the version fields that the options change. A new version replaces all of them. */
export function versionChanges({ version, extra, meta }: VersionOptions): Partial<VersionFields> {
  return {
    ...(version === undefined ? {} : requireVersionFields(version)),
    ...(extra === undefined ? {} : { version_component_extra: extra || null }),
    ...(meta === undefined ? {} : { version_component_meta: meta || null }),
  }
}

/** Returns the fields of a version. Throws if it is invalid. */
export function requireVersionFields(text: string): VersionFields {
  const version = requireVersion(text)
  return {
    version_component_1_major: version.major,
    version_component_2_minor: version.minor,
    version_component_3_patch: version.patch,
    version_component_extra: version.extra ?? null,
    version_component_meta: version.meta ?? null,
  }
}

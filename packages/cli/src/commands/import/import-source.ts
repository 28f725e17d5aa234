import type { Build, Label, Stream } from '@quayside/sdk'
import type { Checksum } from '../../transfer/partial-file.ts'
import type { NotImported } from './import-report.ts'
import type { SourceSettings } from './source-settings.ts'

/** A file of a build that is imported, either on this computer or at a URL. */
export type SourceFile = {
  filename: string
  sizeBytes: number
  checksum: Checksum | undefined
  /** Absolute path of a file that already is on this computer. */
  path?: string
  /** Returns the URL of the file; `fresh` requests a new one. */
  url?: (fresh: boolean) => Promise<string>
  /** Headers that the URL requires, such as a token. They are not sent to another origin. */
  headers?: Record<string, string>
  /** Returns whether a redirect to a URL is followed. Defaults to true. */
  follows?: (url: URL) => boolean
}

export type SourceFiles = {
  primary: SourceFile
  expansion: SourceFile | undefined
  artifacts: SourceFile[]
}

/** The fields of a release that an import sets. */
export type SourceRelease = {
  id: string
  title: string
  notes: string | null
  version_semantic_major: number
  version_semantic_minor: number
  version_semantic_patch: number
  version_semantic_extra: string | null
  version_semantic_meta: string | null
  labels: Pick<Label, 'name'>[]
  build_ids: string[]
  /** Undefined for a server that does not report it. Its releases are published. */
  status?: 'draft' | 'scheduled' | 'published' | 'withdrawn'
  scheduled_for?: string | null
}

/** The fields of a build that an import sets. */
export type SourceBuild = Pick<
  Build,
  | 'id'
  | 'build_structure'
  | 'version'
  | `version_semantic_${'major' | 'minor' | 'patch' | 'extra' | 'meta'}`
  | 'build_number'
  | 'notes'
  | 'build_source'
  | 'built_at'
> & {
  platform: Pick<Build['platform'], 'identifier'>
  stream: Pick<Stream, 'name'>
  labels: Pick<Label, 'name'>[]
  architectures: { identifier: string }[]
  ci_pipeline?: Partial<Build['ci_pipeline']>
  scm?: Partial<Build['scm']>
} & Partial<Pick<Build, 'custom_target' | 'keep_forever'>>

export type BuildToImport = {
  build: SourceBuild
  /** What the report calls it. Defaults to its version, platform and stream. */
  name?: string
  /** Returns the files, or undefined if the build was deleted in the meantime. */
  files(): Promise<SourceFiles | undefined>
}

/** The application to import. */
export type ImportSource = {
  /** Identifies the application among all servers. */
  id: string
  /** What is never imported from this source. */
  neverImported: NotImported
  /** Whether a build that cannot be imported is reported. Otherwise, it stops the import. */
  reportsFailedBuilds: boolean
  application(): Promise<{ name: string; description: string | null; platforms: string[] }>
  streams(): Promise<Pick<Stream, 'name' | 'description' | 'retention_days'>[]>
  labels(): Promise<(Pick<Label, 'name' | 'description'> & { color?: string })[]>
  /** Yields the builds, oldest first. */
  builds(): AsyncGenerator<BuildToImport>
  /** Yields the releases, oldest first. */
  releases(): AsyncGenerator<SourceRelease>
  settings(): Promise<SourceSettings>
}

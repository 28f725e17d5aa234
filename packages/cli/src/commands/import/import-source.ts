import type { Build, Label, Stream } from '@quayside/sdk'
import type { Checksum } from '../../transfer/partial-file.ts'
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
  /** Headers that the URL requires. */
  headers?: Record<string, string>
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

type ContractField =
  | 'id'
  | 'build_structure'
  | 'version'
  | `version_semantic_${'major' | 'minor' | 'patch' | 'extra' | 'meta'}`
  | 'build_number'
  | 'platform'
  | 'stream'
  | 'labels'
  | 'architectures'
  | 'notes'
  | 'size_total_bytes'
  | 'metadata_total_bytes'
  | 'build_source'
  | 'ci_pipeline'
  | 'scm'
  | 'download_url'
  | 'built_at'

/** The fields of a build that the API contract guarantees, and those that only some servers return. */
export type SourceBuild = Pick<Build, ContractField> & Partial<Pick<Build, 'custom_target' | 'keep_forever'>>

/** The application to import. */
export type ImportSource = {
  /** Identifies the application among all servers. */
  id: string
  application(): Promise<{ name: string; description: string | null; platforms: string[] }>
  streams(): Promise<Pick<Stream, 'name' | 'description' | 'retention_days'>[]>
  labels(): Promise<Pick<Label, 'name' | 'description' | 'color'>[]>
  /** Yields the builds, oldest first. */
  builds(): AsyncGenerator<SourceBuild>
  /** Returns the files of a build, or undefined if it was deleted in the meantime. */
  files(build: SourceBuild): Promise<SourceFiles | undefined>
  releases(): AsyncGenerator<SourceRelease>
  settings(): Promise<SourceSettings>
}

import type { CommandContext } from '../../../command-context.ts'
import type { SourceFile } from '../import-source.ts'

/** The options of `quayside import` that only some sources have. */
export type ServiceOptions = {
  repository?: string
  url?: string
  fromApplication?: string
  bucket?: string
  prefix?: string
  region?: string
}

/** What a service that stores builds, and not only files, reports about one. */
export type ListedBuild = {
  /** The version as the service reports it. */
  version: string
  buildNumber: string | null
  notes: string | null
  /** A platform of Quayside, or null if the file name decides. */
  platform: string | null
  stream: string | null
  labels: string[]
  branch: string | null
  commit: string | null
  runUrl: string | null
  /** Whether the build is in the release. Earlier builds of the same version are not. */
  isInRelease: boolean
}

/** A file of a release. Its name comes from the service and may be hostile. */
export type ListedFile = {
  /** Unique among the files of the source, and the same in each run. */
  id: string
  filename: string
  /** Words of its folder that can name a platform. */
  hint?: string
  uploadedAt: string | null
  build?: ListedBuild
  /** Returns where the file is, or undefined if it was deleted. Throws a `Failure` if it cannot be imported. */
  locate(): Promise<SourceFile | undefined>
}

export type ListedRelease = {
  /** Unique among the releases of the source, and the same in each run. */
  id: string
  title: string
  /** A tag, or a version. */
  tag: string | null
  notes: string | null
  /** When the release was published, is to be published, or was created, if it is a draft. */
  date: string | null
  status: 'draft' | 'scheduled' | 'published'
  isPrerelease: boolean
  /** The page of the release. */
  url: string | null
  commit: string | null
  files: ListedFile[]
}

/** The releases that an import reads from another service. */
export type ReleaseSource = {
  /** Identifies the releases among all services. */
  id: string
  name: string
  description: string | null
  /** Clone URL of the repository, or null if it is unknown. */
  repositoryUrl: string | null
  /** Slug of the service that hosts the repository, in case its URL does not tell. */
  repositoryHost: string | null
  /** What the service has that is never imported. */
  neverImported: string
  /** Yields the releases in any order. */
  releases(): AsyncGenerator<ListedRelease>
  /** What the service listed but does not provide, such as links to web pages. Complete after `releases`. */
  unusable: { what: string; reason: string }[]
}

/** A kind of service from which releases can be imported. */
export type ReleaseService = {
  /** The options that it has. */
  options: readonly (keyof ServiceOptions)[]
  /** Whether it reads a folder instead of a server. */
  readsFolder: boolean
  open(
    context: CommandContext,
    options: ServiceOptions,
    input: { token: string | undefined; folder: string },
  ): Promise<ReleaseSource>
}

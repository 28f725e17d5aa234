import type { ArmoredAndBinary } from '../../../crypto/openpgp-key.ts'
import type { AndroidInfo, PackageField, RpmHeader } from '../../../inspection/inspection.ts'
import type { Version } from '../../../lib/semver.ts'
import type { RepositoryCommit } from '../git/repository-commit.db.ts'
import type { RolloutRules } from '../rollouts/rollout-rules.ts'
import type { BlockLayout } from '../zsync/control-file.ts'

/** A file of a build: its primary file, an expansion file, or a metadata artifact such as a signature. */
export type PublishedFile = {
  id: string
  kind: 'file' | 'artifact'
  build: PublishedBuild
  filename: string
  sizeBytes: number
  /** Hexadecimal; null until the service has computed them. */
  sha1: string | null
  sha256: string | null
  sha512: string | null
  objectKey: string
  filetype: string | null
  createdAt: Date
}

/** What the inspection read from the primary file of a build. */
export type PublishedPackage = {
  format: string
  name: string | null
  version: string | null
  publisher: string | null
  /** The bundle identifier of an iOS application. */
  bundleId: string | null
  /** What a NuGet package requires, or the components of an installer package for macOS, such as `Newtonsoft.Json 13.0.1`. */
  dependencies: readonly string[]
}

export type PublishedBuild = {
  id: string
  platform: string
  architectures: readonly string[]
  buildNumber: string | null
  /** What the inspection read from the primary file. */
  minimumOs: string | null
  /** Null until the primary file is inspected, and if its type is not inspected. */
  package: PublishedPackage | null
  /** Whether the primary file is yet to be inspected. */
  isPending: boolean
  files: readonly PublishedFile[]
}

/** A version that a channel publishes, with the builds that have this version. */
export type Entry = {
  version: string
  parsed: Version
  /** Sorts as text by SemVer precedence. */
  sortKey: string
  title: string
  /** Markdown. */
  notes: string | null
  publishedAt: Date
  /** The primary files first, newest first, then expansion files and metadata artifacts. */
  files: readonly PublishedFile[]
  rollout: RolloutRules
}

/** The decoded parts of the URL of a request. */
export type FeedAddress = { format: string; path: string[]; query: URLSearchParams }

export type FeedRequest = {
  /** The decoded path below the format. */
  path: readonly string[]
  /** The parameters that the adapter lists in `query`. */
  query: URLSearchParams
  /** The absolute URL of the format, with the read key if the client sent it in the path. */
  base: string
}

/** What the inspection read from the primary file of a build for package managers. */
export type PackageDetails = {
  debControl: readonly PackageField[] | null
  rpmHeader: RpmHeader | null
  pacmanInfo: readonly PackageField[] | null
  /** With the architectures of its native libraries. */
  androidInfo: (AndroidInfo & { architectures: string[] }) | null
  /** Selects the icon of the application. */
  iconKey: string | null
}

/** What a channel publishes, as one client may see it. */
export type Feed = {
  channelId: string
  applicationName: string
  /** The home page of the application is unknown, so feeds link to the channel. */
  channelUrl: string
  /** Every version that is neither stopped nor rolled back, newest first. */
  published: readonly Entry[]
  /** Every version, newest first. */
  all: readonly Entry[]
  /** Returns the versions that the client may install, newest first. `current` is the version that it has. */
  offers(current?: string): Entry[]
  /** Returns whether the version is newer than that of a client; false if the client's version cannot be compared. */
  isNewer(entry: Entry, current: string): boolean
  /**
   * Returns the version to which a client must go back because its own was rolled back; undefined if it was not.
   */
  findRollback(current: string): Entry | undefined
  /** Returns the percentage of clients that are offered the version now. */
  percentage(entry: Entry): number
  /** Reads a small file, such as a signature. Returns undefined if it is larger than 1 MiB. */
  read(file: PublishedFile): Promise<Buffer | undefined>
  /** Returns the checksums of the blocks of a file for zsync. Returns undefined if the file no longer exists. */
  blockSums(file: PublishedFile, layout: BlockLayout): Promise<Buffer | undefined>
  /** Returns what was read from the primary files of builds, by the IDs of the builds. */
  describePackages(builds: Iterable<PublishedBuild>): Promise<ReadonlyMap<string, PackageDetails>>
  /** Returns an icon and its content type; undefined if it was replaced. */
  readIcon(key: string): Promise<{ contentType: string; body: Buffer } | undefined>
  /** Returns the versions that every client is offered, newest first. */
  everyone(): Entry[]
  /** Adds a commit to the repository of a format if its files have changed. Returns all commits, oldest first. */
  commit(
    format: string,
    change: Pick<RepositoryCommit, 'message' | 'files'>,
  ): Promise<readonly RepositoryCommit[]>
  /** Lists the commits of the repository of a format after one of them, oldest first. */
  listCommits(format: string, afterNumber: number): Promise<readonly RepositoryCommit[]>
  /** Returns what was created for the key since the publication changed, and creates it otherwise. */
  remember<T>(key: string, create: () => Promise<T>): Promise<T>
}

export type Answer =
  | { contentType: string; body: string | Buffer; headers?: Readonly<Record<string, string>> }
  | { file: PublishedFile }
  /** The client is up to date: 204. */
  | 'no update'

/** What a version needs to be offered in a format. */
export type Missing = { message: string; build_id?: string; filename?: string }

/** A document of the index of a package repository, with its paths below the URL of the format. */
export type IndexDocument = { paths: readonly string[]; contentType: string; body: Buffer }

type IndexTime = {
  /** The time of the index. It never decreases, and that of an index with an X.509 signature always increases. */
  date: Date
  /** The time after which clients no longer accept the index. The service signs it again long before. */
  validUntil: Date
}

/** Signs with every key of the workspace, whose certificates are in the keyring, or only with the oldest. */
export type IndexSigner = IndexTime & {
  cleartext(text: string): Promise<string>
  detached(bytes: Buffer, keys?: 'oldest key'): Promise<ArmoredAndBinary>
  keyring: ArmoredAndBinary
}

/** Signs with the RSA key of the workspace. */
export type CertificateSigner = IndexTime & {
  /** Returns a detached CMS signature with the certificate. */
  signatureBlock(bytes: Buffer): Buffer
}

/** The index of a package repository, which is created and signed once for each change and then served by every node. */
export type RepositoryIndex = {
  /** Returns the path of the document that a client requests by another name. */
  nameDocument?(path: string): string
  /**
   * Whether clients are redirected from the path of a document to the one in the same folder that contains its SHA-256.
   * Clients that append the ending of signatures to that path get the signature of the document that they have.
   */
  redirectsToChecksum?: boolean
  /**
   * Returns the documents that describe packages. They depend only on the feed. Paths that contain a SHA-256 remain
   * available for hours after the index has changed.
   */
  listDocuments(feed: Feed): Promise<IndexDocument[]>
} & (SignedBy<'openpgp', IndexSigner> | SignedBy<'x509', CertificateSigner>)

/** The kind of key with which an index is signed. */
type SignedBy<Kind, Signer> = {
  signedBy: Kind
  /** Returns the documents that name and sign the others, and replaces those with one of their paths. */
  sign(documents: readonly IndexDocument[], signer: Signer, feed: Feed): Promise<IndexDocument[]>
}

/** What the path of a request tells about its client, in the words of the client. */
export type ClientOfPath = {
  /** The version that the client has. */
  version?: string | undefined
  /** Its platform and processor, such as `darwin-arm64` or `latest-linux-arm64.yml`. */
  target?: string | undefined
}

export type ClientSystem = 'macos' | 'windows' | 'linux' | 'android' | 'ios'

/** Lines that users run or save to use a channel. */
export type Setup = { title: string; code: string }

/** What the lines that users copy are made from. */
export type SetupContext = {
  /** The URL of the format, with the placeholder `{read_key}` if the channel requires a key. */
  base: string
  /** The host with its scheme. */
  origin: string
  channelId: string
  /** The name of the application as package managers write names. */
  token: string
  /** The SHA-256 of the certificate with which the index is signed; empty unless it has an X.509 signature. */
  fingerprint: string
}

/** A format in which clients look for updates. Each has one file in this folder. */
export type Adapter = {
  name: string
  /**
   * How a client takes part in a rollout: the service decides by the ID that it sends, the client decides by the
   * percentage in the document, or the client gets the version once it is offered to everyone.
   */
  rollout: 'client_id' | 'client' | 'complete_only'
  /** The paths that developers enter in their applications, below the URL of the format. */
  paths: readonly string[]
  /** The query parameters that change the answer. */
  query?: readonly string[]
  /** The operating system of every client; undefined if there are several. */
  system?: ClientSystem
  /** Reads the path of a request for statistics. Formats without it tell nothing in their paths. */
  readClient?(path: readonly string[]): ClientOfPath
  /** Lists what a version lacks. A version that lacks something for every platform is not offered. */
  listMissing(entry: Entry, feed: Pick<Feed, 'read' | 'describePackages'>): Promise<Missing[]> | Missing[]
  /** Whether each document also exists with a signature of the workspace, at its path with `.asc`. */
  isSigned?: true
  /** A package repository has an index. `answer` then returns its files. */
  index?: RepositoryIndex
  /** Returns what users of a package manager do to install from the channel. */
  setUp?(context: SetupContext): Setup[]
  /** Returns undefined for a path that does not exist. Files by version and name are served without it. */
  answer(request: FeedRequest, feed: Feed): Promise<Answer | undefined> | Answer | undefined
  /** Answers a POST with a body of at most 16 KiB. Formats without it are read with GET only. */
  answerPost?(
    request: FeedRequest & { body: Buffer },
    feed: Feed,
  ): Promise<Answer | undefined> | Answer | undefined
}

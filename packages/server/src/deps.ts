import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import type { Passwords } from './crypto/password.ts'
import type { SecretBox } from './crypto/secret-box.ts'
import type { Db, Tx } from './database/transaction.ts'
import type { EventStreams } from './events/event-streams.ts'
import type { Initiator } from './events/record-event.ts'
import type { WindowCounter } from './http/limits/window-counter.ts'
import type { CreateCounter } from './http/limits/window-counters.ts'
import type { RunOnDatabase } from './http/replica/replica-reads.ts'
import type { SessionCookie } from './http/wire/session-cookie.ts'
import type { Comparer } from './inspection/comparison/run-comparison.ts'
import type { ImageEncoder } from './inspection/images/image-encoder.ts'
import type { Icon } from './inspection/inspection.ts'
import type { Patcher } from './inspection/patching/run-patching.ts'
import type { Inspector } from './inspection/run-inspection.ts'
import type { Queue } from './jobs/job-queue.ts'
import type { Clock } from './lib/clock.ts'
import type { LimitByName } from './lib/concurrency.ts'
import type { InFlight } from './lib/in-flight.ts'
import type { Metrics } from './lib/metrics.ts'
import type { Tracing } from './lib/tracing.ts'
import type { UploadTurns } from './lib/upload-turns.ts'
import type { AddressRules } from './net/address-rules.ts'
import type { IssuerKeys } from './net/issuer-keys.ts'
import type { Mailer } from './net/mailer.ts'
import type { Poster } from './net/outgoing.ts'
import type { TxtRecords } from './net/txt-records.ts'
import type { CustomStores } from './storage/custom/custom-stores.ts'
import type { StorageDriver } from './storage/driver.ts'

/**
 * The effects on other features of deleting a stream or label, revoking a key, removing a member, publishing a release,
 * or inspecting a build. Streams, labels, keys, releases and builds must not import the features that use them, so each affected feature
 * implements its own effects, and dependents.ts combines them.
 */
export type Dependents = {
  /** Moves the next batch of builds to another stream. Returns false once no builds are left. */
  moveSomeBuildsOfStream(
    tx: Tx,
    by: Initiator & { config: Config },
    from: MovedStream,
    toId: string,
  ): Promise<boolean>
  /** Moves all unfinished uploads from one stream to another. */
  moveUploadsOfStream(tx: Tx, fromId: string, toId: string): Promise<void>
  /** Detaches up to `limit` finished uploads from their stream. Returns the number detached. */
  detachSomeUploadsOfStream(tx: Tx, streamId: string, limit: number): Promise<number>
  /** Throws a conflict if a channel publishes the stream, because installed copies would no longer find updates. */
  requireStreamUnpublished(tx: Tx, stream: MovedStream): Promise<void>
  /** Removes the stream from every portal. */
  deletePortalStreams(tx: Tx, streamId: string): Promise<void>
  /** Deletes the trusted publishers that a key created, and revokes the keys that they issued. */
  deleteTrustedPublishers(tx: Tx, by: Initiator, publishers: readonly CreatedPublisher[]): Promise<void>
  /**
   * Revokes the keys and deletes the trusted publishers that a member created, directly or through other keys. The
   * caller must have locked the membership. Returns the number of each, and the IDs of the member and of the keys.
   */
  revokeKeysOfMember(
    tx: Tx,
    by: Initiator & Pick<Deps, 'dependents'>,
    userId: string,
  ): Promise<{ keys: number; publishers: number; creatorIds: string[] }>
  /**
   * Notifies the members of the active groups to which the releases were added with `notify`, except those who were
   * already notified of them. Returns the number of members notified by release. The caller must hold the locks on the
   * releases.
   */
  notifyGroupsOfReleases(tx: Tx, by: GroupNotifier, releaseIds: string[]): Promise<Map<string, number>>
  /** Creates the notifications of members whose rules match these events. Call it once for each event. Returns their number. */
  notifyMembers(tx: Tx, eventIds: readonly string[]): Promise<number>
  /**
   * Notifies the members whom a text mentions and who can access the application. `before` is the text that it replaces:
   * only a changed text mentions anyone.
   */
  notifyMentioned(
    tx: Tx,
    by: Initiator,
    mention: MentionSubject & { text: string | null; before?: string | null },
  ): Promise<void>
  /**
   * Notifies the admins of an application of a request for access, or a person of its approval. Only members whose rules
   * match are notified.
   */
  notifyOfAccess(tx: Tx, notice: AccessNotice): Promise<void>
  /** Records that a mail server rejected the address, so that it gets no more emails about releases. */
  recordBounce(tx: Tx, bounce: { workspaceId: string; address: string; reason: string }): Promise<void>
  /**
   * Deletes the webhooks that are limited to a stream or label. Returns the part of the response message that reports
   * them.
   */
  deleteWebhooksOf(
    tx: Tx,
    by: Initiator,
    narrowing: { stream_id: string } | { label_id: string },
  ): Promise<string>
  /** Sets the icon of an application that has none. Ignores an image that does not meet the requirements for icons. */
  setMissingApplicationIcon(
    deps: Pick<Deps, 'db' | 'storage' | 'config'>,
    by: Initiator,
    applicationId: string,
    icon: Icon,
  ): Promise<void>
}

/** A trusted publisher that is deleted with the key that created it. */
type CreatedPublisher = { id: string; application_id: string }

/** What the text that mentions members belongs to. */
type MentionSubject = {
  applicationId: string
  workspaceId: string
  buildId?: string
  releaseId?: string
  feedbackId?: string
}

/** `actorName` is the name of the person who asks or approves. */
export type AccessNotice = { applicationId: string; workspaceId: string; actorName: string } & (
  | { kind: 'access_request' }
  | { kind: 'access_granted'; userId: string }
)

type GroupNotifier = Pick<Deps, 'config' | 'mailer' | 'queue' | 'secretBox'>

/** A stream whose builds are being moved, with its name for the audit log. */
type MovedStream = { id: string; name: string }

/** The dependencies of operations and jobs, which are passed as parameters rather than imported. */
export type Deps = {
  db: Db
  /** Stores every file: in the storage of the service, or in the custom store that the key of the file names. */
  storage: StorageDriver
  /** The storage of the service. */
  hostedStorage: StorageDriver
  customStores: CustomStores
  queue: Queue
  inFlight: InFlight
  /** Lets background work wait while clients upload. */
  uploadTurns: UploadTurns
  /** Runs tasks with the same name one after another. */
  exclusive: LimitByName
  clock: Clock
  log: Logger
  metrics: Metrics
  tracing: Tracing
  secretBox: SecretBox
  sessionCookie: SessionCookie
  passwords: Passwords
  inspector: Inspector
  /** Compares the entries of files. */
  comparer: Comparer
  /** Creates patches of files. */
  patcher: Patcher
  /** Encodes the images that visitors send, and scales icons. */
  imageEncoder: ImageEncoder
  /** Runs the work of an endpoint on the read replica, if there is one and it may, otherwise on the primary. */
  runOnDatabase: RunOnDatabase
  /** Creates rate limits that all nodes share. */
  createCounter: CreateCounter
  /** Counts how often each key sets a share link password. */
  passwordChanges: WindowCounter
  /** Counts downloads without an API key by link and client network. */
  publicDownloads: WindowCounter
  /** Counts feedback of visitors by client network, by link and by build. */
  publicFeedback: { byNetwork: WindowCounter; byLink: WindowCounter; byBuild: WindowCounter }
  /** Counts how often each person requests access to applications. */
  accessRequests: WindowCounter
  /** Undefined if no SMTP server is configured. Emails then stay in the database. */
  mailer: Mailer | undefined
  /** Provides the signing keys of OIDC issuers. */
  issuerKeys: IssuerKeys
  /** Determines which addresses of OIDC issuers the service may connect to. */
  issuerAddresses: AddressRules
  /** Sends requests to the URLs of webhooks and personal chats. */
  webhookPoster: Poster
  /** Used to verify the ownership of custom domains. */
  txtRecords: TxtRecords
  eventStreams: EventStreams
  dependents: Dependents
  config: Config
}

import type { FileKind } from '@quayside/sdk/platform'
import type { FolderNode } from './folder/folder-tree.ts'

/** What the person can change until the last byte has arrived. */
export type UploadFields = {
  /** Null until the person has chosen one, if the file matches no platform or several. */
  platform: string | null
  /** As typed, such as `1.2.3-rc.1`. Empty if the file does not contain it. */
  version: string
  buildNumber: string
  stream: string
  labels: string[]
  notes: string
}

/** What is kept in the browser, so that an upload can be resumed after the tab was closed. */
export type UploadRecord = {
  id: string
  /** The person and the workspace that the upload belongs to. */
  owner: string
  /** Empty until the person has chosen an application, if the drop contains files for several. */
  applicationId: string
  applicationName: string
  filename: string
  sizeBytes: number
  lastModified: number
  /** The hash of some of the content, to recognize the file when it is chosen again. */
  sample: string
  handle: FileSystemHandle | null
  /** The number of files in a folder; null for a file. */
  folderFiles: number | null
  /** Uploads that were added together have the same batch. */
  batch: string
  /** What the first bytes of the file show, and the platform and name of the package in it. */
  kind: FileKind
  packagePlatform: string | null
  packageName: string | null
  /** The platforms that accept the file, with the most likely one first; empty until the file has been read. */
  candidates: readonly string[]
  fields: UploadFields
  pendingUploadId: string | null
  /** The attributes of the build that the server has, as JSON; empty if the upload has not been requested. */
  requested: string
  createdAt: number
}

/** An application that files are uploaded to, with what is chosen for each file at first. */
export type UploadTarget = {
  applicationId: string
  applicationName: string
  platforms: readonly string[]
  stream: string
}

export type UploadPhase =
  /** The platform and version are being read from the file. */
  | 'reading'
  /** Earlier uploads are using all connections. */
  | 'waiting'
  | 'uploading'
  /** The connection was lost or the server is busy; the next attempt is scheduled. */
  | 'retrying'
  | 'offline'
  | 'paused'
  /** The tab was closed; the browser must ask for permission to read the file again. */
  | 'needs-permission'
  /** The tab was closed, and the person must choose the file again. */
  | 'needs-file'
  /** The drop contains files for several applications, and the file shows none of them. */
  | 'needs-application'
  /** No platform of the application accepts the file, or several do, and the person must choose one. */
  | 'needs-platform'
  /** Another tab is uploading the file. */
  | 'elsewhere'
  /** Every byte has arrived, but a required field is empty or being edited. */
  | 'incomplete'
  | 'verifying'
  | 'done'
  | 'failed'

export type UploadedBuild = {
  id: string
  /** With the build number, such as `2.14.0 (8123)`. */
  version: string
  platform: string
  /** The identifier of the platform; missing in uploads that earlier versions have stored. */
  platformId?: string
  stream: string
  url: string
}

export type ChosenFile = { file: File; handle: FileSystemHandle | null }
/** A folder, which is uploaded as an archive. */
export type ChosenFolder = { folder: FolderNode; handle: FileSystemHandle | null }
export type Chosen = ChosenFile | ChosenFolder

export type Upload = UploadRecord & {
  phase: UploadPhase
  sentBytes: number
  /** How many files of the folder have been read or sent; null for a file. */
  sentFiles: number | null
  /** Null until it has been measured. */
  bytesPerSecond: number | null
  /** Milliseconds since the epoch; only in the phase `retrying`. */
  retryAt: number | null
  error: unknown
  /** What is wrong with a field; undefined if it is valid. */
  fieldErrors: Partial<Record<keyof UploadFields, string>>
  /** Whether the person has changed a field, so that it is shown whether the server has the change. */
  isEdited: boolean
  /** A URL of the icon in the package. */
  icon: string | null
  build: UploadedBuild | null
}

/** The state of an upload of which nothing is known but its record. */
export const unknownState = {
  sentBytes: 0,
  sentFiles: null,
  bytesPerSecond: null,
  retryAt: null,
  error: null,
  fieldErrors: {},
  isEdited: false,
  icon: null,
  build: null,
} satisfies Omit<Upload, keyof UploadRecord | 'phase'>

const activePhases: ReadonlySet<UploadPhase> = new Set([
  'reading',
  'waiting',
  'uploading',
  'retrying',
  'offline',
  'incomplete',
  'verifying',
])

/** Returns whether this tab is working on the upload, so that closing it would interrupt the upload. */
export const isActive = ({ phase }: Upload): boolean => activePhases.has(phase)

/** Returns whether the fields can be changed in this tab. */
export const isEditable = ({ applicationId, phase }: Upload): boolean =>
  applicationId !== '' && !['done', 'verifying', 'elsewhere', 'reading'].includes(phase)

export const isFinished = ({ phase }: Upload): boolean => phase === 'done'

/** Returns the remaining time in seconds, or null if it is unknown. */
export function secondsLeft({ phase, sizeBytes, sentBytes, bytesPerSecond }: Upload): number | null {
  if (phase !== 'uploading' || bytesPerSecond === null || bytesPerSecond < 1) return null
  return (sizeBytes - sentBytes) / bytesPerSecond
}

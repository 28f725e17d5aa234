import { Type } from 'typebox'
import type { Config } from '../../config/config.ts'
import { trashFields } from '../../events/trash-state.ts'
import { Nullable, SizeBytes, Timestamp } from '../../http/endpoint/fields.ts'
import { CustomTarget } from '../custom-targets/custom-target.ts'
import { Label } from '../labels/label.ts'
import { Architecture, Platform } from '../platforms/platform.ts'
import { Stream } from '../streams/stream.ts'
import { originFields } from './build-origin.ts'
import { processingStates } from './inspection/build-inspection.db.ts'

const text = Nullable(Type.String())

export const versionFields = {
  version: Type.String({ description: 'Full semantic version.' }),
  version_short: Type.String({ description: 'Version in the format `major.minor.patch`.' }),
  version_semantic_major: Type.Integer(),
  version_semantic_minor: Type.Integer(),
  version_semantic_patch: Type.Integer(),
  version_semantic_extra: text,
  version_semantic_meta: text,
}

export const Processing = Type.Enum([...processingStates], {
  title: 'Processing',
  description:
    'State of reading metadata from the primary file. `none`: files of this type are not read. `queued`: the file will be read. `waiting`: the file of a mobile build (.ipa, .apk, .aab) will be read, and `pending_processing` is `true`. `done`: the file has been read; fields that it does not contain are `null`. `failed`: the file could not be read, and `processing_error` says why. The build can be downloaded in every state.',
})

export const buildFields = {
  id: Type.String(),
  build_structure: Type.Enum(['file', 'file+expansion']),
  ...versionFields,
  build_number: text,
  platform: Platform,
  stream: Stream,
  custom_target: Nullable(CustomTarget),
  labels: Type.Array(Label),
  architectures: Type.Array(Architecture),
  notes: text,
  size_total_bytes: SizeBytes,
  size_total_string: Type.String(),
  metadata_total_bytes: SizeBytes,
  reused_bytes: Type.Integer({
    description: 'Part of `size_total_bytes` that was taken from earlier builds instead of being sent.',
  }),
  build_source: Type.String(),
  ...originFields,
  icon_url: Nullable(Type.String({ description: 'URL of the icon extracted from the primary file.' })),
  pending: Type.Boolean(),
  pending_processing: Type.Boolean({
    description:
      'Whether metadata is still being read from the primary file of a mobile build (`processing` is `waiting`).',
  }),
  processing: Processing,
  processing_error: Nullable(
    Type.String({
      description:
        'The reason why no metadata could be read from the primary file; `null` unless `processing` is `failed`. The build can still be downloaded.',
    }),
  ),
  keep_forever: Type.Boolean(),
  expires_at: Nullable(Timestamp),
  modal_url: Type.String(),
  download_url: Type.String({
    description:
      'URL that returns download links; requires an API key. Replace the final `/download` with `/file` to be redirected to the primary file.',
  }),
  built_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Build = Type.Object(buildFields, { title: 'Build' })

export const ListedBuild = Type.Object({ ...buildFields, ...trashFields }, { title: 'ListedBuild' })

/** Returns the URL of the build's page in the console. */
export const consoleUrl = ({ publicUrl }: Config, applicationId: string, buildId: string): string =>
  `${publicUrl}/applications/${applicationId}/builds/${buildId}`

export const downloadUrl = ({ publicUrl }: Config, applicationId: string, buildId: string): string =>
  `${publicUrl}/api/v1/applications/${applicationId}/builds/${buildId}/download`

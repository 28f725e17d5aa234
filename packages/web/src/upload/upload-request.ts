import type { UploadRequest } from '@quayside/sdk'
import { parseVersion, type VersionParts } from '@quayside/sdk/version'
import { uploadText } from '../text/builds/upload.ts'
import type { Upload, UploadFields, UploadRecord } from './upload.ts'

// The bytes can be sent before the version is known. The upload is verified only after the person has entered it.
const unknownVersion: VersionParts = { major: 0, minor: 0, patch: 1 }

/** Returns what is missing or invalid in the fields and would prevent the build from being created. */
export function fieldProblems({ version }: UploadFields): Upload['fieldErrors'] {
  if (version.trim() === '') return { version: uploadText.enterVersion }
  return parseVersion(version) === undefined ? { version: uploadText.invalidVersion } : {}
}

/** Returns whether the server has the current fields. */
export const isSaved = (upload: UploadRecord): boolean =>
  upload.requested === JSON.stringify(uploadRequest(upload))

/** Returns the body of the upload request. The platform must be known. */
export function uploadRequest({ applicationId, filename, sizeBytes, fields }: UploadRecord): UploadRequest {
  const { major, minor, patch, extra, meta } = parseVersion(fields.version) ?? unknownVersion
  return {
    application_id: applicationId,
    platform: fields.platform ?? '',
    stream: fields.stream,
    source: 'web-upload',
    primary_file: { filename, size_bytes: sizeBytes },
    version_component_1_major: major,
    version_component_2_minor: minor,
    version_component_3_patch: patch,
    ...(extra === undefined ? {} : { version_component_extra: extra }),
    ...(meta === undefined ? {} : { version_component_meta: meta }),
    ...(fields.buildNumber.trim() === '' ? {} : { custom_build_number: fields.buildNumber.trim() }),
    ...(fields.labels.length === 0 ? {} : { labels: fields.labels }),
    ...(fields.notes.trim() === '' ? {} : { notes: fields.notes }),
  }
}

const fieldOf: Readonly<Record<string, keyof UploadFields>> = {
  platform: 'platform',
  'primary_file.filename': 'platform',
  stream: 'stream',
  labels: 'labels',
  custom_build_number: 'buildNumber',
  notes: 'notes',
}

/** Returns the messages of a validation error by the fields of the form. */
export function formErrors(serverErrors: Readonly<Record<string, string>>): Upload['fieldErrors'] {
  const errors: Upload['fieldErrors'] = {}
  for (const [path, message] of Object.entries(serverErrors)) {
    const [name = ''] = path.split('.', 1)
    const field = name.startsWith('version_component') ? 'version' : (fieldOf[path] ?? fieldOf[name])
    if (field !== undefined) errors[field] ??= message
  }
  return errors
}

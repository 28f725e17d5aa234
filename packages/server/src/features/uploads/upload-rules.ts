import { acceptedExpansionExtensions, expansionFiletypeFor } from '../../catalog/expansion-filetypes.ts'
import { acceptedExtensionsText, filetypeFor } from '../../catalog/filetypes.ts'
import { identifiersOf } from '../../catalog/named-entries.ts'
import { architectureErrors, findPlatform } from '../../catalog/platforms.ts'
import { isUploadSource, uploadSources } from '../../catalog/upload-sources.ts'
import {
  isVersionControlHost,
  isVersionControlType,
  versionControlHosts,
  versionControlTypes,
} from '../../catalog/version-control.ts'
import type { ValidPart } from '../../http/endpoint/endpoint.ts'
import type { FieldErrors } from '../../http/endpoint/validation.ts'
import { zeroVersionErrors } from '../../http/endpoint/version-parts.ts'
import { readTime } from '../../lib/time.ts'
import { unknownPlatform } from '../platforms/platform.ts'
import { filenameError, type UploadRequest } from './upload-request.ts'

type Request = ValidPart<UploadRequest>

/**
 * Returns the violations of rules that the schema cannot express and that need no database query. Missing fields are
 * ignored.
 */
export function uploadRuleErrors(request: Request): FieldErrors {
  const { version_component_1_major: major, built_at } = request
  const { version_component_2_minor: minor, version_component_3_patch: patch } = request
  const hasVersion = major !== undefined && minor !== undefined && patch !== undefined
  return {
    ...identifierErrors(request),
    ...(hasVersion ? zeroVersionErrors({ ...request }) : {}),
    ...fileErrors(request),
    ...(built_at !== undefined && readTime(built_at) === undefined
      ? { built_at: ['must be an ISO 8601 timestamp such as 2026-11-21T00:00:00Z.'] }
      : {}),
  }
}

function identifierErrors({
  platform,
  source,
  vc_host_type,
  vc_host,
  architectures = [],
}: Request): FieldErrors {
  const errors: FieldErrors = {}
  if (platform !== undefined && findPlatform(platform) === undefined)
    errors['platform'] = [unknownPlatform(platform)]
  else if (platform !== undefined) Object.assign(errors, architectureErrors(platform, architectures))
  if (source !== undefined && !isUploadSource(source))
    errors['source'] = [`"${source}" is not an upload source. Use one of: ${identifiersOf(uploadSources)}.`]
  if (vc_host_type !== undefined && !isVersionControlType(vc_host_type))
    errors['vc_host_type'] = [
      `"${vc_host_type}" is not a version control system. Use one of: ${identifiersOf(versionControlTypes)}.`,
    ]
  if (vc_host !== undefined && !isVersionControlHost(vc_host))
    errors['vc_host'] = [
      `"${vc_host}" is not a version control host. Use one of: ${identifiersOf(versionControlHosts)}.`,
    ]
  return errors
}

function fileErrors({
  structure = 'file',
  primary_file,
  expansion_files = [],
  platform,
}: Request): FieldErrors {
  const errors: FieldErrors = {}
  if (structure === 'file' && expansion_files.length > 0)
    errors['expansion_files'] = ['requires `structure` to be "file+expansion".']
  if (structure === 'file+expansion' && expansion_files.length === 0)
    errors['expansion_files'] = ['is required when `structure` is "file+expansion".']
  const primary = primary_file?.filename
  const hasPlatform = platform !== undefined && findPlatform(platform) !== undefined
  const primaryType =
    hasPlatform && primary !== undefined ? filetypeFor({ platform, filename: primary }) : undefined
  if (primary !== undefined) {
    const problem = filenameError(primary)
    if (problem !== undefined) errors['primary_file.filename'] = [problem]
    else if (hasPlatform && primaryType === undefined)
      errors['primary_file.filename'] = [
        `has a file type that ${platform} does not accept. Accepted: ${acceptedExtensionsText(platform)}.`,
      ]
  }
  for (const [index, file] of expansion_files.entries()) {
    const filename = file?.filename
    if (filename === undefined) continue
    const problem = filenameError(filename)
    if (problem !== undefined) errors[`expansion_files.${index}.filename`] = [problem]
    else if (
      hasPlatform &&
      primary !== undefined &&
      !isExpansionFile(platform, primaryType?.identifier, filename)
    )
      errors[`expansion_files.${index}.filename`] = [expansionError(platform, primaryType?.identifier)]
  }
  return errors
}

const isExpansionFile = (platform: string, primaryFiletype: string | undefined, filename: string): boolean =>
  primaryFiletype !== undefined && expansionFiletypeFor({ platform, primaryFiletype, filename }) !== undefined

function expansionError(platform: string, primaryFiletype = ''): string {
  const extensions = acceptedExpansionExtensions(platform, primaryFiletype)
  return extensions.length === 0
    ? 'is not allowed for this primary file type.'
    : `is not an expansion file for this primary file type. Accepted: .${extensions.join(', .')}.`
}

import { QuaysideError } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { formatWrappedTable } from '../../output/format.ts'
import type { UploadBody } from '../../transfer/upload-context.ts'
import type { UploadOptions } from './upload-options.ts'
import type { UploadTarget } from './upload-target.ts'

/**
 * Prints what an upload would send and where each field comes from. Throws if the server would reject the request for a
 * reason that can be determined without changing anything.
 */
export async function printUploadRequest(
  context: CommandContext,
  applicationId: string,
  body: UploadBody,
  options: UploadOptions,
  target: UploadTarget,
): Promise<void> {
  await requireExistingReferences(context, applicationId, body)
  const result = { dry_run: true, request: body, ...target }
  context.output.result(result, (columns) =>
    formatWrappedTable(
      ['FIELD', 'VALUE', 'FROM'],
      Object.entries(body).map(([field, value]) => [
        field,
        typeof value === 'string' ? value : JSON.stringify(value),
        originOf(field, options),
      ]),
      { wrapped: 1, maxWidth: columns },
    ),
  )
  context.output.note('Dry run: nothing was sent.')
}

/** Maps each request field to the upload option that sets it. */
const optionByField: Record<string, keyof UploadOptions> = {
  platform: 'platform',
  stream: 'stream',
  source: 'source',
  custom_target: 'customTarget',
  version_component_1_major: 'version',
  version_component_2_minor: 'version',
  version_component_3_patch: 'version',
  version_component_extra: 'extra',
  version_component_meta: 'meta',
  custom_build_number: 'buildNumber',
  labels: 'label',
  architectures: 'architecture',
  expansion_files: 'expansion',
}

function originOf(field: string, options: UploadOptions): string {
  if (field === 'notes') return options.notesFile === undefined ? '--notes' : '--notes-file'
  if (field === 'application_id') return '--application or QUAYSIDE_APPLICATION'
  const option = optionByField[field]
  if (field === 'stream' && options.stream === 'default') return '--stream or its default'
  if (option !== undefined && options[option] !== undefined)
    return `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  if (field.startsWith('version_')) return options.version === undefined ? 'tag or file name' : '--version'
  if (field === 'primary_file' || field === 'structure' || field === 'platform') return 'file'
  if (field === 'source') return 'CI environment or default'
  if (field === 'custom_build_number') return 'file name or CI environment'
  if (field.startsWith('ci_')) return 'CI environment'
  return field.startsWith('vc_') ? 'CI environment or Git repository' : 'option'
}

async function requireExistingReferences(
  { client, signal }: CommandContext,
  application_id: string,
  { stream, platform, architectures = [] }: UploadBody,
): Promise<void> {
  const call = { signal }
  const streams = await ifAllowed(client().listStreams({ application_id }, call))
  if (streams && !streams.data.some(({ name }) => name === stream)) {
    const names = streams.data.map(({ name }) => name).join(', ')
    throw new Failure('failed', `"${stream}" is not a stream of this application. Streams: ${names}.`)
  }
  const platforms = await ifAllowed(client().listPlatforms({ application_id }, call))
  if (platforms && !platforms.data.some(({ identifier }) => identifier === platform)) {
    const names = platforms.data.map(({ identifier }) => identifier).join(', ')
    throw new Failure('failed', `"${platform}" is not a platform of this application. Platforms: ${names}.`)
  }
  if (!platforms || architectures.length === 0) return
  const { data } = await client().listArchitectures({ application_id, platform }, call)
  const known = data.map(({ identifier }) => identifier)
  const unknown = architectures.find((identifier) => !known.includes(identifier))
  if (unknown !== undefined)
    throw new Failure('failed', `"${unknown}" is not supported. ${platform} supports: ${known.join(', ')}.`)
}

/** Resolves with the response, or with undefined if the key is not authorized to request it. */
async function ifAllowed<Result>(response: Promise<Result>): Promise<Result | undefined> {
  try {
    return await response
  } catch (error) {
    if (error instanceof QuaysideError && error.status === 403) return undefined
    throw error
  }
}

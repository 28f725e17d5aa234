import { resolve } from 'node:path'
import { firstNonEmpty } from '../../ci/ci-metadata.ts'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { parseServerUrl } from '../../server-url.ts'
import { checkKey } from '../../settings.ts'
import { createApiSource } from './api-source.ts'
import { createFolderSource } from './folder-source.ts'
import type { ImportSource } from './import-source.ts'
import { createReleaseImport } from './release-sources/create-release-import.ts'
import type { PlanOptions } from './release-sources/plan-release.ts'
import type { ReleaseService, ServiceOptions } from './release-sources/release-source.ts'
import { releaseServices, tokenVariables } from './release-sources/release-sources.ts'
import type { ReleaseServiceName } from './release-sources/release-sources.ts'

export type SourceOptions = ServiceOptions &
  Partial<PlanOptions> & {
    /** The name of a service, or the URL of a server with the API of Quayside. */
    from?: string
    fromKey?: string
  }

const serviceOptions = ['repository', 'url', 'fromApplication', 'bucket', 'prefix', 'region'] as const
const planOptions = ['stream', 'platform', 'versionFrom'] as const

/** Opens the folder, the server or the service that the options name. */
export async function chooseSource(
  context: CommandContext,
  folder: string | undefined,
  options: SourceOptions,
): Promise<ImportSource> {
  const { from } = options
  const name = from?.toLowerCase()
  if (name !== undefined && isServiceName(name)) return openService(context, name, folder, options)
  if (folder !== undefined && from !== undefined)
    throw new Failure('usage', 'Use either a folder or --from, not both.')
  rejectOptions(options, folder === undefined ? ['fromApplication'] : [], planOptions)
  if (folder !== undefined) return createFolderSource(resolve(context.runtime.cwd, folder), context.agents)
  return openServer(context, options)
}

const isServiceName = (name: string): name is ReleaseServiceName => Object.hasOwn(releaseServices, name)

function openServer(
  { runtime, output, signal }: CommandContext,
  { from, fromApplication, fromKey }: SourceOptions,
): ImportSource {
  if (from === undefined || fromApplication === undefined)
    throw new Failure(
      'usage',
      `Name a folder, a server with --from and --from-application, or a service, such as --from github. Services: ${Object.keys(releaseServices).join(', ')}.`,
    )
  const key = firstNonEmpty(fromKey?.trim(), runtime.env['QUAYSIDE_FROM_API_KEY']?.trim())
  if (key === undefined)
    throw new Failure(
      'usage',
      'There is no API key for the other server. Set QUAYSIDE_FROM_API_KEY or --from-key.',
    )
  checkKey(key)
  return createApiSource({
    server: parseServerUrl(from),
    key,
    applicationId: fromApplication,
    output,
    signal,
  })
}

async function openService(
  context: CommandContext,
  name: ReleaseServiceName,
  folder: string | undefined,
  options: SourceOptions,
): Promise<ImportSource> {
  const service: ReleaseService = releaseServices[name]
  rejectOptions(options, service.options, [])
  if (service.readsFolder !== (folder !== undefined))
    throw new Failure(
      'usage',
      service.readsFolder
        ? `Name the folder to read, such as \`quayside import saved --from ${name}\`.`
        : 'Use either a folder or --from, not both.',
    )
  const { env, cwd } = context.runtime
  // QUAYSIDE_FROM_API_KEY is the key of another Quayside, which no service may receive.
  const inEnvironment = tokenVariables[name].map((variable) => env[variable]?.trim())
  const token = firstNonEmpty(options.fromKey?.trim(), ...inEnvironment)
  const input = { token, folder: resolve(cwd, folder ?? '') }
  const { stream = 'default', platform, versionFrom } = options
  return createReleaseImport(
    await service.open(context, options, input),
    {
      stream,
      ...(platform === undefined ? {} : { platform }),
      ...(versionFrom === undefined ? {} : { versionFrom }),
    },
    context,
  )
}

/** Throws if an option is set that the source does not have. */
function rejectOptions(
  options: SourceOptions,
  accepted: readonly (keyof SourceOptions)[],
  others: readonly (keyof SourceOptions)[],
): void {
  const rejected = [...serviceOptions, ...others].find(
    (name) => options[name] !== undefined && !accepted.includes(name),
  )
  if (rejected === undefined) return
  const option = rejected.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw new Failure('usage', `This source does not have the option --${option}. Remove it.`)
}

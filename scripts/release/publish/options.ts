import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ReleaseError } from '../release-error.ts'
import { isStream, streams, type Stream } from './streams.ts'

const usage = `npm run release:publish -- [options]

  --folder <folder>  folder that npm run release created (default: release)
  --stream <name>    promote the builds up to this stream: ${streams.map(({ name }) => name).join(', ')} (default: stable);
                     stable also publishes the release

Environment variables:
  QUAYSIDE_SERVER       URL of the Quayside server
  QUAYSIDE_API_KEY      key of its workspace; if the key expires, so does the link to the download page
  QUAYSIDE_APPLICATION  name of the application (default: Quayside)`

export type PublishOptions = {
  folder: string
  stream: Stream
  server: string
  apiKey: string
  application: string
  /** The file for outputs of a step in GitHub Actions. */
  outputFile: string | undefined
}

/** Returns the options of a publication. Throws `ReleaseError` if one is invalid or missing. */
export function readPublishOptions(root: string, args: string[], env: NodeJS.ProcessEnv): PublishOptions {
  const { folder, stream } = parse(args)
  if (!isStream(stream)) throw new ReleaseError(`Unknown stream "${stream}".\n\n${usage}`)
  return {
    folder: resolve(root, folder),
    stream,
    server: requireVariable(env, 'QUAYSIDE_SERVER').replace(/\/+$/, ''),
    apiKey: requireVariable(env, 'QUAYSIDE_API_KEY'),
    application: env['QUAYSIDE_APPLICATION'] || 'Quayside',
    outputFile: env['GITHUB_OUTPUT'] || undefined,
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        folder: { type: 'string', default: 'release' },
        stream: { type: 'string', default: 'stable' },
      },
    }).values
  } catch (error) {
    throw new ReleaseError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, {
      cause: error,
    })
  }
}

function requireVariable(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name]
  if (!value) throw new ReleaseError(`${name} is not set.\n\n${usage}`)
  return value
}

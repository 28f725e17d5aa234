import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ReleaseError } from './release-error.ts'
import type { Step } from './release.ts'
import { minisignPublicKey } from './signatures/minisign.ts'
import { parseSecretKey, testKey, type ReleaseKey } from './signatures/release-key.ts'
import { steps } from './steps.ts'

const usage = `npm run release -- [options]

  --output <folder>  folder of the artifacts, which must be empty (default: release)
  --url <url>        URL from which the installers download the release
  --only <steps>     run only these steps, separated by commas: ${steps.map(({ name }) => name).join(', ')}
  --test-key         sign with a key that everybody has, to try a release
  --unsigned         create a release without signatures and installers
  --fast             compress executables and Debian packages only a little, to try a release

Environment variables:
  QUAYSIDE_SIGNING_KEY       text of a minisign secret key without a password
  QUAYSIDE_SIGNING_KEY_FILE  path of such a key
  QUAYSIDE_BUILDER_ID        URI that identifies the builder in the provenance`

export type Options = {
  folder: string
  url: string | undefined
  steps: readonly Step[]
  key: ReleaseKey | undefined
  isFast: boolean
  builder: string
}

const publicKeyFile = 'docs/release-key.pub'
const localBuilder = 'urn:quayside:builder:local'

/** Returns the options of a release. Throws `ReleaseError` if an option is invalid or the signing key is missing. */
export function readOptions(root: string, args: string[], env: NodeJS.ProcessEnv): Options {
  const { values } = parse(args)
  const folder = resolve(root, values.output)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new ReleaseError(`${folder} is not empty. Delete it, or select another folder with --output.`)
  return {
    folder,
    url: values.url?.replace(/\/$/, ''),
    steps: selectSteps(values.only),
    key: values.unsigned ? undefined : values['test-key'] ? testKey() : readKey(root, env),
    isFast: values.fast,
    builder: env['QUAYSIDE_BUILDER_ID'] || localBuilder,
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        output: { type: 'string', default: 'release' },
        url: { type: 'string' },
        only: { type: 'string' },
        'test-key': { type: 'boolean', default: false },
        unsigned: { type: 'boolean', default: false },
        fast: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new ReleaseError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, {
      cause: error,
    })
  }
}

function selectSteps(only: string | undefined): readonly Step[] {
  if (only === undefined) return steps
  const names = only.split(',')
  const unknown = names.find((name) => !steps.some((step) => step.name === name))
  if (unknown !== undefined) throw new ReleaseError(`There is no step ${unknown}.\n\n${usage}`)
  return steps.filter(({ name }) => names.includes(name))
}

function readKey(root: string, env: NodeJS.ProcessEnv): ReleaseKey {
  const path = env['QUAYSIDE_SIGNING_KEY_FILE']
  const text = env['QUAYSIDE_SIGNING_KEY'] || (path && readFileSync(resolve(root, path), 'utf8'))
  if (!text)
    throw new ReleaseError(
      'The signing key is missing. Set QUAYSIDE_SIGNING_KEY or QUAYSIDE_SIGNING_KEY_FILE, or try a release ' +
        'with --test-key or --unsigned.',
    )
  const key = parseSecretKey(text)
  // Users verify releases with this file, so a release with another key would be rejected by all of them.
  const published = resolve(root, publicKeyFile)
  if (!existsSync(published) || !readFileSync(published, 'utf8').includes(minisignPublicKey(key)))
    throw new ReleaseError(
      `${publicKeyFile} does not contain the public key of the signing key. Commit it first.`,
    )
  return key
}

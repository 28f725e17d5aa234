import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig, type Environment } from '../../src/config.ts'

export const repository = resolve(import.meta.dirname, '../../../..')
export const deployFolder = join(repository, 'deploy')

export const readDeployFile = (path: string): string => readFileSync(join(deployFolder, path), 'utf8')

/** Returns the instructions of a Containerfile, with continued lines joined. */
export function readContainerfile(): string[] {
  const text = readDeployFile('Containerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
  return text.split('\n').filter((line) => line !== '')
}

/** Returns the variables that the image sets. */
function readImageEnvironment(): Record<string, string> {
  const instructions = readContainerfile().filter((line) => line.startsWith('ENV '))
  return Object.fromEntries(
    instructions.flatMap((line) =>
      [...line.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    ),
  ) as Record<string, string>
}

/** Asserts that the server accepts the settings of a container and warns about none of them. */
export function assertAcceptedSettings(container: string, settings: Environment): void {
  const { warnings } = readConfig({ ...readImageEnvironment(), ...settings })
  assert.deepEqual(warnings, [], container)
}

/** A value for a secret that the examples leave empty. */
export const exampleSecret = '0123456789abcdef'.repeat(4)

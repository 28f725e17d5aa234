import assert from 'node:assert/strict'
import { readConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/setting-reader.ts'
import { readContainerfile } from './deploy-files.ts'

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

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

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

/** A value for a secret that the examples leave empty. */
export const exampleSecret = '0123456789abcdef'.repeat(4)

import { appendFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Failure } from '../failure.ts'
import { fileErrorReason } from '../files/file-error.ts'
import { firstNonEmpty } from './ci-metadata.ts'
import type { Env } from './ci-metadata.ts'

/** What later steps of a CI run can use. */
type StepOutputs = { build_id: string; build_url: string; download_url: string; version: string }

type Target = {
  env: Env
  cwd: string
  /** The file of `--env-file`. */
  envFile: string | undefined
  /** Writes a line to the log of the CI run. */
  log: (line: string) => void
}

/**
 * Passes outputs to later steps: as outputs of the step in GitHub Actions and Azure Pipelines, and in the file of
 * `--env-file` as variables.
 */
export async function writeStepOutputs(outputs: StepOutputs, target: Target): Promise<void> {
  const { env, cwd, envFile, log } = target
  const entries = Object.entries(outputs).map(([name, value]) => [name, value.replaceAll(/\s/g, '')] as const)
  const githubOutput = firstNonEmpty(env['GITHUB_OUTPUT'])
  if (githubOutput !== undefined) {
    const lines = entries.map(([name, value]) => `${name.replaceAll('_', '-')}=${value}\n`)
    await write(githubOutput, (path) => appendFile(path, lines.join('')))
  }
  if (env['TF_BUILD'] === 'True')
    for (const [name, value] of entries)
      log(`##vso[task.setvariable variable=${toCamelCase(name)};isOutput=true]${value}`)
  if (envFile === undefined) return
  const lines = entries.map(([name, value]) => `QUAYSIDE_${name.toUpperCase()}=${value}\n`)
  await write(resolve(cwd, envFile), (path) => writeFile(path, lines.join('')))
}

const toCamelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

async function write(path: string, run: (path: string) => Promise<void>): Promise<void> {
  try {
    await run(path)
  } catch (error) {
    throw new Failure(
      'failed',
      `The build was uploaded, but ${path} cannot be written: ${fileErrorReason(error)}. Correct the path, then rerun the command.`,
      { cause: error },
    )
  }
}

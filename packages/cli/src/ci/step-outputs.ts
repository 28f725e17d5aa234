import { appendFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Failure } from '../failure.ts'
import { fileErrorReason } from '../files/file-error.ts'
import { firstNonEmpty } from './ci-metadata.ts'
import type { Env } from './ci-metadata.ts'

/** What later steps of a CI run can use. */
type StepOutputs = { buildId: string; buildUrl: string; downloadUrl: string; version: string }

/** The name of each output as variable. None is an input, because variables of a job may reach another upload. */
const variables = {
  buildId: 'QUAYSIDE_BUILD_ID',
  buildUrl: 'QUAYSIDE_BUILD_URL',
  downloadUrl: 'QUAYSIDE_DOWNLOAD_URL',
  version: 'QUAYSIDE_BUILD_VERSION',
} satisfies Record<keyof StepOutputs, string>

type Target = {
  env: Env
  cwd: string
  /** The file of `--write-env`. */
  envFile: string | undefined
  /** Writes a line to the log of the CI run. */
  log: (line: string) => void
}

/**
 * Passes outputs to later steps: as outputs of the step in GitHub Actions and Azure Pipelines, and in the file of
 * `--write-env` as variables.
 */
export async function writeStepOutputs(outputs: StepOutputs, target: Target): Promise<void> {
  const { env, cwd, envFile, log } = target
  const names = ['buildId', 'buildUrl', 'downloadUrl', 'version'] as const
  const value = (name: keyof StepOutputs) => outputs[name].replaceAll(/\s/g, '')
  const githubOutput = firstNonEmpty(env['GITHUB_OUTPUT'])
  if (githubOutput !== undefined) {
    const lines = names.map((name) => `${toKebabCase(name)}=${value(name)}\n`)
    await write(githubOutput, (path) => appendFile(path, lines.join('')))
  }
  if (env['TF_BUILD'] === 'True')
    for (const name of names) log(`##vso[task.setvariable variable=${name};isOutput=true]${value(name)}`)
  if (envFile === undefined) return
  const lines = names.map((name) => `${variables[name]}=${value(name)}\n`)
  await write(resolve(cwd, envFile), (path) => writeFile(path, lines.join('')))
}

const toKebabCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

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

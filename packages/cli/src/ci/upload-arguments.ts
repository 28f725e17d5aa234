import { firstNonEmpty } from './ci-metadata.ts'
import type { Env } from './ci-metadata.ts'

/** Variables with the value of an option of `quayside upload`. */
const optionByVariable: [variable: string, option: string][] = [
  ['QUAYSIDE_STREAM', '--stream'],
  ['QUAYSIDE_PLATFORM', '--platform'],
  ['QUAYSIDE_VERSION', '--version'],
  ['QUAYSIDE_BUILD_NUMBER', '--build-number'],
  ['QUAYSIDE_NOTES', '--notes'],
  ['QUAYSIDE_NOTES_FILE', '--notes-file'],
  ['QUAYSIDE_RELEASE', '--release'],
  ['QUAYSIDE_ENV_FILE', '--write-env'],
]

/** Variables with a list, one item per line. Labels may also be separated by commas. */
const repeatableOptionByVariable: [variable: string, option: string][] = [
  ['QUAYSIDE_LABELS', '--label'],
  ['QUAYSIDE_METADATA', '--metadata'],
]

/**
 * Returns the arguments of `quayside upload` that `quayside ci-upload` reads from the environment, in which CI
 * integrations pass their inputs. Values never become options, whatever they contain.
 */
export function uploadArguments(env: Env): string[] {
  const file = firstNonEmpty(env['QUAYSIDE_FILE'])
  return [
    ...optionByVariable.flatMap(([variable, option]) => {
      const value = firstNonEmpty(env[variable])
      return value === undefined ? [] : [`${option}=${value}`]
    }),
    ...repeatableOptionByVariable.flatMap(([variable, option]) =>
      linesOf(env[variable]).map((line) => `${option}=${line}`),
    ),
    ...(file === undefined ? [] : ['--', file]),
  ]
}

const linesOf = (text = ''): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

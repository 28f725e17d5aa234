import { toolPath } from './tool-sets.ts'

const programs = {
  knip: 'knip/bin/knip.js',
  oxfmt: 'oxfmt/bin/oxfmt',
  oxlint: 'oxlint/bin/oxlint',
  tsc: 'typescript/bin/tsc',
}

export type Program = keyof typeof programs

export const isProgram = (name: string | undefined): name is Program =>
  name !== undefined && Object.hasOwn(programs, name)

/** Returns the path of a program of the set `check`, which Node runs. */
export const programPath = (name: Program): string => toolPath('check', programs[name])

/** Variables for oxlint, which looks for the checker of its rules with types in the node_modules of the repository. */
export const programEnvironment = {
  OXLINT_TSGOLINT_PATH: toolPath('check', 'oxlint-tsgolint/bin/tsgolint.js'),
}

import fc from 'fast-check'
import { versionOf } from '../uploading.ts'
import type { Model, Version } from './model.ts'
import type { Real } from './real.ts'

export type Command = fc.AsyncCommand<Model, Real, true>

type Definition<T> = {
  name: string
  input: fc.Arbitrary<T>
  /** Whether the model has the resources that the command needs. Defaults to true. */
  canRun?: (model: Model, input: T) => boolean
  run: (model: Model, real: Real, input: T) => Promise<void>
  /** Whether the command also runs while the application is in the trash. */
  inTrash?: true
}

/** Returns a fast-check command that prints its name and input. */
export function command<T>({
  name,
  input,
  canRun = () => true,
  run,
  inTrash,
}: Definition<T>): fc.Arbitrary<Command> {
  return input.map((value) => ({
    check: async (model) => (inTrash === true || !model.isTrashed) && canRun(model, value),
    run: (model, real) => run(model, real, value),
    toString: () => `${name} ${JSON.stringify(value)}`,
  }))
}

/** An arbitrary number that `pick` maps to an existing resource. */
export const anyIndex = fc.nat(1000)

export const version = fc.record({
  major: fc.integer({ min: 1, max: 2 }),
  minor: fc.constantFrom(0, 2, 10),
  patch: fc.constantFrom(0, 1),
  extra: fc.constantFrom(null, null, 'beta.2', 'beta.11', 'beta', 'rc.1', '1'),
})

export const versionFields = ({ major, minor, patch, extra }: Version) => ({
  ...versionOf(major, minor, patch),
  version_component_extra: extra,
})

export const labelName = fc.constantFrom('alpha', 'Alpha', 'beta', 'signed', 'QA', 'qa')
export const labelNames = fc.uniqueArray(labelName, { maxLength: 3, selector: (name) => name.toLowerCase() })

import fc from 'fast-check'
import type { Model } from './model.ts'
import type { Real } from './real.ts'

export type Command = fc.AsyncCommand<Model, Real, true>

type Definition<T> = {
  name: string
  given: fc.Arbitrary<T>
  /** Whether there is something to do it with. */
  can?: (model: Model, given: T) => boolean
  run: (model: Model, real: Real, given: T) => Promise<void>
  /** Also while the application is in the trash. */
  inTrash?: true
}

/** A command as fast-check takes it, which prints as its name and what it was given. */
export function command<T>({
  name,
  given,
  can = () => true,
  run,
  inTrash,
}: Definition<T>): fc.Arbitrary<Command> {
  return given.map((value) => ({
    check: async (model) => (inTrash === true || !model.isTrashed) && can(model, value),
    run: (model, real) => run(model, real, value),
    toString: () => `${name} ${JSON.stringify(value)}`,
  }))
}

/** Which one of those there are. */
export const which = fc.nat(1000)

export const version = fc.record({
  major: fc.integer({ min: 1, max: 2 }),
  minor: fc.constantFrom(0, 2, 10),
  patch: fc.constantFrom(0, 1),
  extra: fc.constantFrom(null, null, 'beta.2', 'beta.11', 'beta', 'rc.1', '1'),
})

export const versionFields = ({
  major,
  minor,
  patch,
  extra,
}: {
  major: number
  minor: number
  patch: number
  extra: string | null
}) => ({
  version_component_1_major: major,
  version_component_2_minor: minor,
  version_component_3_patch: patch,
  version_component_extra: extra,
})

export const labelName = fc.constantFrom('alpha', 'Alpha', 'beta', 'signed', 'QA', 'qa')
export const labelNames = fc.uniqueArray(labelName, { maxLength: 3, selector: (name) => name.toLowerCase() })

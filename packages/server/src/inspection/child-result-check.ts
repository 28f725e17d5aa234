import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Static, TSchema } from 'typebox'

/**
 * Returns a function that checks whether the result of a child process matches a schema, and removes properties that the
 * schema does not declare.
 */
export function createChildResultCheck<Schema extends TSchema>(schema: Schema) {
  let validate: ValidateFunction | undefined
  return (value: unknown): value is Static<Schema> => {
    // Compiled with the first result, because the start of the service would take 200 ms of CPU time longer. Strict mode is
    // off, because the schemas contain OpenAPI titles.
    validate ??= new Ajv2020({
      strict: false,
      removeAdditional: 'all',
      meta: false,
      validateSchema: false,
    }).compile(schema)
    return validate(value)
  }
}

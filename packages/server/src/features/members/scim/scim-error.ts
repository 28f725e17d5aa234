/** The reasons for status 400 and 409 of RFC 7644, table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** An error that is reported in the format of SCIM (RFC 7644, section 3.12). */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail)
    this.name = 'ScimError'
    this.status = status
    this.scimType = scimType
  }
}

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** Returns the body of an error response. */
export const scimErrorBody = ({
  status,
  message,
  scimType,
}: Pick<ScimError, 'status' | 'message' | 'scimType'>) => ({
  schemas: [errorSchema],
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail: message,
})

export const resourceNotFound = (kind: string, id: string): ScimError =>
  new ScimError(404, `${kind} ${id.slice(0, 100)} does not exist.`)

export const invalidValue = (detail: string): ScimError => new ScimError(400, detail, 'invalidValue')

export const notUnique = (detail: string): ScimError => new ScimError(409, detail, 'uniqueness')

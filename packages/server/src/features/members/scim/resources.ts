import { emailPattern, nameError, normalizeName } from '../../../http/endpoint/fields.ts'
import { invalidValue } from './scim-error.ts'
import type { ScimUserRow } from './scim-user.db.ts'

export type Resource = Record<string, unknown>

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** What the identity provider manages of a person. */
export type UserFields = {
  userName: string
  externalId: string | null
  name: string
  givenName: string | null
  familyName: string | null
  email: string
  isActive: boolean
}

export type GroupFields = {
  displayName: string
  externalId: string | null
  memberIds: string[]
}

const maxTextLength = 255
const maxNameLength = 100
const isEmail = new RegExp(emailPattern)

/**
 * Reads a User. Attributes that are not kept are ignored. Throws `invalidValue` for those that are not valid. `current` has
 * what a resource keeps if it does not mention it.
 */
export function readUser(
  resource: Resource,
  current: { is_active: boolean; email: string | undefined } = { is_active: true, email: undefined },
): UserFields {
  const userName = requiredText(resource['userName'], 'userName')
  const name = record(resource['name'], 'name')
  const [givenName, familyName] = ['givenName', 'familyName'].map((part) =>
    optionalText(name[part], `name.${part}`),
  )
  const full = [givenName, familyName].filter(Boolean).join(' ')
  const shown =
    optionalText(resource['displayName'], 'displayName') ??
    optionalText(name['formatted'], 'name.formatted') ??
    full
  return {
    userName,
    externalId: optionalText(resource['externalId'], 'externalId'),
    name: displayedName(shown === '' ? userName.replace(/@.*/, '') : shown),
    givenName: givenName ?? null,
    familyName: familyName ?? null,
    email: emailOf(resource['emails'], current.email ?? userName),
    isActive: readBoolean(resource['active'] ?? current.is_active, 'active'),
  }
}

export function readGroup(resource: Resource): GroupFields {
  const displayName = normalizeName(requiredText(resource['displayName'], 'displayName'))
  const error = nameError(displayName)
  if (error !== undefined) throw invalidValue(`\`displayName\` ${error}`)
  if (displayName === '' || displayName.length > maxNameLength)
    throw invalidValue(`\`displayName\` must have 1 to ${maxNameLength} characters.`)
  const ids = elements(resource['members'], 'members').map(({ value }) =>
    requiredText(value, 'members.value'),
  )
  return {
    displayName,
    externalId: optionalText(resource['externalId'], 'externalId'),
    memberIds: [...new Set(ids)],
  }
}

/** Returns the boolean, which Microsoft Entra ID sends as `"True"` or `"False"`. */
function readBoolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  throw invalidValue(`\`${path}\` must be true or false.`)
}

/** Returns the elements of a multi-valued attribute. A single object or string counts as a list of one. */
export function elements(value: unknown, path: string): Resource[] {
  if (value === undefined || value === null) return []
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > 2_000) throw invalidValue(`\`${path}\` has too many values.`)
  return list.map((element) => {
    if (typeof element === 'string') return { value: element }
    if (isRecord(element)) return element
    throw invalidValue(`\`${path}\` must be a list of objects.`)
  })
}

export const isRecord = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function record(value: unknown, path: string): Resource {
  if (value === undefined || value === null) return {}
  if (!isRecord(value)) throw invalidValue(`\`${path}\` must be an object.`)
  return value
}

function optionalText(value: unknown, path: string): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw invalidValue(`\`${path}\` must be a string.`)
  const text = value.trim()
  if (text.length > maxTextLength)
    throw invalidValue(`\`${path}\` has more than ${maxTextLength} characters.`)
  if (!text.isWellFormed() || /\p{Cc}/u.test(text))
    throw invalidValue(`\`${path}\` contains a character that is not allowed.`)
  return text === '' ? null : text
}

function requiredText(value: unknown, path: string): string {
  const text = optionalText(value, path)
  if (text === null) throw invalidValue(`\`${path}\` is required.`)
  return text
}

function displayedName(text: string): string {
  const name = normalizeName(text).slice(0, maxNameLength)
  if (name === '' || nameError(name) !== undefined)
    throw invalidValue('`displayName` must contain a visible character.')
  return name.toWellFormed()
}

function emailOf(value: unknown, otherwise: string): string {
  const emails = elements(value, 'emails')
  const chosen =
    emails.find(({ primary }) => primary === true || String(primary).toLowerCase() === 'true') ??
    emails.find(({ type }) => String(type).toLowerCase() === 'work') ??
    emails[0]
  const email = (optionalText(chosen?.['value'], 'emails.value') ?? otherwise).toLowerCase()
  if (email.length > 254 || !isEmail.test(email))
    throw invalidValue(
      `"${email.slice(0, 100)}" is not an email address. Send one in \`emails\` or as \`userName\`.`,
    )
  return email
}

export function userResource(row: ScimUserRow, baseUrl: string): Resource {
  const parts = { givenName: row.given_name, familyName: row.family_name }
  return {
    schemas: [userSchema],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    userName: row.user_name,
    name: { formatted: row.name, ...withoutNulls(parts) },
    displayName: row.name,
    emails: [{ value: row.email, type: 'work', primary: true }],
    active: row.is_active,
    meta: metaOf('User', row, `${baseUrl}/Users/${row.id}`),
  }
}

type GroupRow = {
  id: string
  name: string
  external_id: string | null
  members: readonly { value: string; display: string }[]
  created_at: string
  updated_at: string
}

export function groupResource(row: GroupRow, baseUrl: string): Resource {
  return {
    schemas: [groupSchema],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    displayName: row.name,
    members: row.members.map(({ value, display }) => ({
      value,
      display,
      type: 'User',
      $ref: `${baseUrl}/Users/${value}`,
    })),
    meta: metaOf('Group', row, `${baseUrl}/Groups/${row.id}`),
  }
}

const metaOf = (
  resourceType: string,
  { created_at: created, updated_at: lastModified }: { created_at: string; updated_at: string },
  location: string,
) => ({ resourceType, created, lastModified, location })

const withoutNulls = (fields: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([key, value]) => (value === null ? [] : [[key, value]])))

/** Returns the resource with the attributes that `attributes` and `excludedAttributes` select (RFC 7644, section 3.9). */
export function selectAttributes(
  resource: Resource,
  {
    attributes,
    excludedAttributes,
  }: { attributes?: string | undefined; excludedAttributes?: string | undefined },
): Resource {
  const kept = new Set(['schemas', 'id', 'meta'])
  const [included, excluded] = [namesOf(attributes), namesOf(excludedAttributes)]
  const entries = Object.entries(resource).filter(([name]) => {
    if (kept.has(name)) return true
    if (included.size > 0) return included.has(name.toLowerCase())
    return !excluded.has(name.toLowerCase())
  })
  return Object.fromEntries(entries)
}

const namesOf = (list = ''): ReadonlySet<string> =>
  new Set(
    list
      .toLowerCase()
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^urn:.*:/, '')
          .replace(/\..*$/, ''),
      )
      .filter((name) => name !== ''),
  )

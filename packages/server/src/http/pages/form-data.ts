import type { FastifyRequest } from 'fastify'
import { problem } from '../../lib/problem.ts'

/** A file that a visitor chose in a form. */
export type FormFile = { name: string; bytes: Buffer }

export type FormData = {
  fields: ReadonlyMap<string, string>
  files: readonly FormFile[]
}

export const noForm: FormData = { fields: new Map(), files: [] }

const maxParts = 50
const maxFields = 50

/** Returns the fields and files of a form. Throws 415 or 400 if the body is not a form. */
export async function readForm({ body, headers }: FastifyRequest): Promise<FormData> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  const type = headers['content-type'] ?? ''
  if (isMultipart(type)) return readParts(bytes, type)
  if (bytes.length > 0 && !isUrlEncoded(type)) throw notAForm()
  // The time to parse fields grows with the square of their number.
  if (occursMoreOften(bytes, '&', maxFields)) throw brokenForm()
  return { fields: readFields(bytes.toString()), files: [] }
}

/** Returns the fields of a form, or none if a client sends something else. */
export async function readFormOfAnyClient(request: FastifyRequest): Promise<FormData> {
  const type = request.headers['content-type'] ?? ''
  return isUrlEncoded(type) ? readForm(request) : noForm
}

const isUrlEncoded = (type: string): boolean => /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)
const isMultipart = (type: string): boolean => /^multipart\/form-data\s*;/i.test(type)

async function readParts(bytes: Buffer, type: string): Promise<FormData> {
  const boundary = /;\s*boundary="?([^";]+)/i.exec(type)?.[1]?.trim() ?? ''
  // The parser copies each part, so the number of parts is limited first.
  if (occursMoreOften(bytes, `--${boundary}`, maxParts)) throw brokenForm()
  // The parser gets the boundary that was counted, because it may read another one from an ambiguous header.
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  const response = new Response(new Uint8Array(bytes), { headers })
  // oxlint-disable-next-line typescript/no-deprecated -- It keeps the form in memory, where this one is already.
  const entries = await response.formData().catch(() => undefined)
  if (entries === undefined) throw brokenForm()
  const fields = new Map<string, string>()
  const files: FormFile[] = []
  for (const [name, value] of entries) {
    if (typeof value === 'string') {
      if (!fields.has(name)) fields.set(name, withoutNul(value))
      continue
    }
    // A browser sends an empty file for a field without a selection.
    if (value.size > 0) files.push({ name, bytes: Buffer.from(await value.arrayBuffer()) })
  }
  return { fields, files }
}

function occursMoreOften(bytes: Buffer, text: string, maxCount: number): boolean {
  let count = 0
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1))
    if (++count > maxCount) return true
  return false
}

const brokenForm = problem('bad_request', 'request.broken_form', 'The form is incomplete. Send it again.')

const notAForm = problem(
  'unsupported_media',
  'request.not_form',
  'Send the form as `application/x-www-form-urlencoded`.',
)

/** Returns the first value of each field. */
export function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text))
    if (!fields.has(name)) fields.set(name, withoutNul(value))
  return fields
}

/** The database does not accept NUL characters. */
const withoutNul = (value: string): string => value.replaceAll('\0', '')

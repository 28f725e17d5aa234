import type { StagedPart } from '../../storage/driver.ts'
import type { PendingFile } from './pending-upload.db.ts'

export type ListedChunk = { PartNumber: number; ETag: string }
export type FileWithParts = Pick<
  PendingFile,
  'id' | 'role' | 'filename' | 'size_bytes' | 'number_of_parts'
> & {
  staged: StagedPart[]
}
export type Choice =
  | { chosen: { fileId: string; parts: StagedPart[] }[] }
  | { errors: Record<string, string[]>; message: string }

const unquoted = (etag: string) =>
  etag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1')

/**
 * Chooses the stored attempts that make up each file: those that the client lists by ETag or, if it sends no list, the
 * newest. The client sends one flat list, primary file first; part numbers restart at 1 for the next file.
 */
export function chooseParts(files: FileWithParts[], listed: ListedChunk[] | undefined): Choice {
  const errors: Record<string, string[]> = {}
  const assigned = assignListedParts(files, listed ?? [], errors)
  if (Object.keys(errors).length > 0) return rejection(errors)
  const chosen = files.map((file) => {
    const parts = assigned.get(file.id) ?? newestAttempts(file, (listed ?? []).length > 0)
    const problem = completenessError(file, parts)
    if (problem !== undefined) errors[fieldOf(file)] = [problem]
    return { fileId: file.id, parts }
  })
  return Object.keys(errors).length > 0 ? rejection(errors) : { chosen }
}

function assignListedParts(files: FileWithParts[], listed: ListedChunk[], errors: Record<string, string[]>) {
  const assigned = new Map<string, StagedPart[]>()
  const has = (file: FileWithParts, number: number) =>
    assigned.get(file.id)?.some(({ partNumber }) => partNumber === number) ?? false
  for (const [index, { PartNumber: number, ETag }] of listed.entries()) {
    const free = files.filter((file) => !has(file, number))
    const match = firstMatch(free, number, unquoted(ETag))
    if (match !== undefined) {
      assigned.set(match.file.id, [...(assigned.get(match.file.id) ?? []), match.part])
      continue
    }
    const stored = free.find(({ staged }) => staged.some(({ partNumber }) => partNumber === number))
    if (stored !== undefined)
      errors[`multipart_chunks.${index}.ETag`] = [
        `does not match the stored ETag of part ${number} of "${stored.filename}".`,
      ]
    else if (free.length === 0)
      errors[`multipart_chunks.${index}.PartNumber`] = [`lists part ${number} more than once.`]
    else
      errors[`multipart_chunks.${index}.PartNumber`] = [
        `lists part ${number} of "${free[0]?.filename}", which has not been uploaded.`,
      ]
  }
  for (const parts of assigned.values()) parts.sort((a, b) => a.partNumber - b.partNumber)
  return assigned
}

function firstMatch(files: FileWithParts[], number: number, etag: string) {
  for (const file of files) {
    const part = file.staged.findLast((part) => part.partNumber === number && part.etag === etag)
    if (part !== undefined) return { file, part }
  }
  // Some clients list part 1 for a file uploaded with a single PUT.
  for (const file of files) {
    const whole =
      number === 1 ? file.staged.findLast((part) => part.partNumber === 0 && part.etag === etag) : undefined
    if (whole !== undefined) return { file, part: whole }
  }
  return undefined
}

function newestAttempts(file: FileWithParts, hasList: boolean): StagedPart[] {
  const newest = new Map<number, StagedPart>()
  for (const part of file.staged) newest.set(part.partNumber, part)
  const whole = newest.get(0)
  if (whole !== undefined) return [whole]
  if (hasList) return []
  return [...newest.values()].sort((a, b) => a.partNumber - b.partNumber)
}

/** Returns the reason why the parts do not form the complete file, or undefined if they do. */
function completenessError(file: FileWithParts, parts: StagedPart[]): string | undefined {
  const name = `"${file.filename}"`
  const first = parts[0]
  if (first === undefined)
    return file.staged.length === 0
      ? `${name} has not been uploaded.`
      : `${name} is incomplete: the list contains none of its stored parts.`
  const isWhole = first.partNumber === 0
  const missing = missingNumbers(parts, file.number_of_parts)
  const bytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
  if (bytes === file.size_bytes && missingNumbers(parts, null).length === 0) return undefined
  if (missing.length > 0)
    return `${name} is incomplete: ${missing.map((number) => `part ${number} is missing`).join(', ')}.`
  if (bytes < file.size_bytes)
    return isWhole
      ? `${name} has only ${bytes} of ${file.size_bytes} bytes. Upload the whole file again.`
      : `${name} is incomplete: its parts have ${bytes} of ${file.size_bytes} bytes; part ${parts.length + 1} is missing.`
  return `${name} has ${bytes} bytes, more than the ${file.size_bytes} in the upload request. Check the parts and their sizes.`
}

function missingNumbers(parts: StagedPart[], expected: number | null): number[] {
  if (parts[0]?.partNumber === 0) return []
  const present = new Set(parts.map(({ partNumber }) => partNumber))
  const last = Math.max(expected ?? 0, ...present)
  const missing: number[] = []
  for (let number = 1; number <= last && missing.length < 10; number++)
    if (!present.has(number)) missing.push(number)
  return missing
}

const fieldOf = ({ role }: FileWithParts): string =>
  role === 'expansion' ? 'expansion_files.0' : 'primary_file'

function rejection(errors: Record<string, string[]>): Choice {
  const [field = '', [text = ''] = []] = Object.entries(errors)[0] ?? []
  const detail = field.startsWith('multipart_chunks') ? `\`${field}\` ${text}` : text
  return { errors, message: `The upload cannot be verified: ${detail}` }
}

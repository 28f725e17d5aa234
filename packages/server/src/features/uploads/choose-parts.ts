import type { StagedPart } from '../../storage/driver.ts'
import { bytesToSend } from './file-to-send.ts'
import type { PendingFile } from './pending-upload.db.ts'
import { maxParts } from './upload-request.ts'

export type ListedChunk = { PartNumber: number; ETag: string }
export type FileWithParts = Pick<
  PendingFile,
  'id' | 'role' | 'filename' | 'size_bytes' | 'new_bytes' | 'number_of_parts'
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
 * The stored parts of a file, indexed by part number and ETag. If the same part was stored several times with the same
 * ETag, the newest attempt is indexed.
 */
type IndexedFile = {
  file: FileWithParts
  stored: Map<string, StagedPart>
  storedNumbers: Set<number>
  assigned: Map<number, StagedPart>
}

const maxErrors = 20

/**
 * Chooses the stored attempts that make up each file: those that the client lists by ETag or, without a list, the
 * newest. The flat list begins with the primary file; part numbers restart at 1 for the next file. The running time
 * must be linear, because the client controls how many parts are listed and stored.
 */
export function chooseParts(files: FileWithParts[], listed: ListedChunk[] = []): Choice {
  const maxListed = files.reduce((sum, file) => sum + Math.min(bytesToSend(file), maxParts), 0)
  if (listed.length > maxListed) return rejection({ multipart_chunks: [tooManyListed(listed, maxListed)] })
  const errors: Record<string, string[]> = {}
  const indexed = files.map(indexParts)
  assignListedParts(indexed, listed, errors)
  if (Object.keys(errors).length > 0) return rejection(errors)
  const chosen = indexed.map(({ file, assigned }) => {
    const parts =
      assigned.size > 0
        ? [...assigned.values()].sort((a, b) => a.partNumber - b.partNumber)
        : newestAttempts(file, listed.length > 0)
    const problem = completenessError(file, parts)
    if (problem !== undefined) errors[fieldOf(file)] = [problem]
    return { fileId: file.id, parts }
  })
  return Object.keys(errors).length > 0 ? rejection(errors) : { chosen }
}

const indexKey = (partNumber: number, etag: string): string => `${partNumber} ${etag}`

function indexParts(file: FileWithParts): IndexedFile {
  const stored = new Map(file.staged.map((part) => [indexKey(part.partNumber, part.etag), part]))
  const storedNumbers = new Set(file.staged.map(({ partNumber }) => partNumber))
  return { file, stored, storedNumbers, assigned: new Map() }
}

/**
 * Assigns each listed part to the first file for which this part is stored and to which no part with the same number
 * has been assigned. Stops after 20 errors.
 */
function assignListedParts(
  files: IndexedFile[],
  listed: ListedChunk[],
  errors: Record<string, string[]>,
): void {
  let errorCount = 0
  for (const [index, { PartNumber: number, ETag }] of listed.entries()) {
    const free = files.filter(({ assigned }) => !assigned.has(number) && !assigned.has(0))
    const match = firstMatch(free, number, unquoted(ETag))
    if (match !== undefined) {
      match.file.assigned.set(match.part.partNumber, match.part)
      continue
    }
    const [field, text] = listedPartError(free, number)
    errors[`multipart_chunks.${index}.${field}`] = [text]
    errorCount += 1
    if (errorCount === maxErrors) return
  }
}

function listedPartError(free: IndexedFile[], number: number): [field: string, text: string] {
  const stored = free.find(({ storedNumbers }) => storedNumbers.has(number))?.file
  if (stored !== undefined)
    return ['ETag', `does not match the stored ETag of part ${number} of "${stored.filename}".`]
  if (free.length === 0) return ['PartNumber', `lists part ${number} more than once.`]
  return ['PartNumber', `lists part ${number} of "${free[0]?.file.filename}", which has not been uploaded.`]
}

function firstMatch(files: IndexedFile[], number: number, etag: string) {
  for (const file of files) {
    const part = file.stored.get(indexKey(number, etag))
    if (part !== undefined) return { file, part }
  }
  // Some clients list part 1 for a file uploaded with a single PUT.
  for (const file of number === 1 ? files : []) {
    const part = file.assigned.size === 0 ? file.stored.get(indexKey(0, etag)) : undefined
    if (part !== undefined) return { file, part }
  }
  return undefined
}

function newestAttempts(file: FileWithParts, hasList: boolean): StagedPart[] {
  if (bytesToSend(file) === 0) return []
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
  const expectedBytes = bytesToSend(file)
  if (expectedBytes === 0 && parts.length === 0) return undefined
  const first = parts[0]
  if (first === undefined)
    return file.staged.length === 0
      ? `${name} has not been uploaded.`
      : `${name} is incomplete: the list contains none of its stored parts.`
  const isWhole = first.partNumber === 0
  const missing = missingNumbers(parts, file.number_of_parts)
  const bytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
  if (bytes === expectedBytes && missingNumbers(parts, null).length === 0) return undefined
  if (missing.length > 0)
    return `${name} is incomplete: ${missing.map((number) => `part ${number} is missing`).join(', ')}.`
  if (bytes < expectedBytes)
    return isWhole
      ? `${name} has only ${bytes} of ${expectedBytes} bytes. Upload the whole file again.`
      : `${name} is incomplete: its parts have ${bytes} of ${expectedBytes} bytes; part ${parts.length + 1} is missing.`
  return `${name} has ${bytes} bytes, more than the ${expectedBytes} in the upload request. Check the parts and their sizes.`
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

const tooManyListed = (listed: ListedChunk[], maxListed: number): string =>
  `lists ${listed.length} parts, but the files of this upload can have at most ${maxListed}. List each part once.`

const fieldOf = ({ role }: FileWithParts): string =>
  role === 'expansion' ? 'expansion_files.0' : 'primary_file'

function rejection(errors: Record<string, string[]>): Choice {
  const [field = '', [text = ''] = []] = Object.entries(errors)[0] ?? []
  const detail = field.startsWith('multipart_chunks') ? `\`${field}\` ${text}` : text
  return { errors, message: `The upload cannot be verified: ${detail}` }
}

import { Problem, problem } from '../lib/problem.ts'

const damageAdvice = 'The operator must restore it from a backup.'

export const damageMessages = {
  'storage.file_missing': 'A stored file is missing on the server.',
  'storage.file_resized': 'A stored file on the server is shorter or longer than the uploaded file.',
  'storage.file_damaged': 'The bytes of a stored file on the server differ from the uploaded bytes.',
} as const

const damage = {
  'storage.file_missing': problem(
    'unavailable',
    'storage.file_missing',
    `${damageMessages['storage.file_missing']} ${damageAdvice}`,
  ),
  'storage.file_resized': problem(
    'unavailable',
    'storage.file_resized',
    `${damageMessages['storage.file_resized']} ${damageAdvice}`,
  ),
  'storage.file_damaged': problem(
    'unavailable',
    'storage.file_damaged',
    `${damageMessages['storage.file_damaged']} ${damageAdvice}`,
  ),
}

const readMismatch = problem(
  'unavailable',
  'storage.read_mismatch',
  'Storage sends other bytes than it has stored. Check the network and any proxy between the server and the store.',
)

/**
 * Thrown if a stored file differs from what was uploaded. Logged as an error with the field `alarm`, because the
 * operator must restore the file.
 */
export class DamagedFile extends Problem {
  readonly key: string
  /** The name of the part whose file is damaged. */
  readonly partName: string

  constructor(code: keyof typeof damageMessages, file: { key: string; partName: string }, cause?: unknown) {
    const { kind, text } = damage[code]
    super(kind, code, text, { retryAfterSeconds: 60, cause })
    this.key = file.key
    this.partName = file.partName
  }
}

/**
 * Thrown if the bytes that a store sends repeatedly differ from its own checksum of them. That is not damage of the file:
 * they may have been changed on the way.
 */
export class ReadMismatch extends Problem {
  constructor(key: string) {
    const { kind, code, text } = readMismatch
    super(kind, code, text, {
      retryAfterSeconds: 60,
      cause: new Error(`the bytes of ${key} do not match their ETag`),
    })
  }
}

/** The errors of every endpoint that reads a file. */
export const damageProblems = [...Object.values(damage), readMismatch]

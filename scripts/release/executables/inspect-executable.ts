import { bufferSource } from '../../../packages/server/src/inspection/bytes.ts'
import { readMachOInfo } from '../../../packages/server/src/inspection/executables/mach-o-info.ts'
import { listSlices } from '../../../packages/server/src/inspection/executables/mach-o.ts'
import {
  readCodeSignature,
  matchesDigests,
} from '../../../packages/server/src/inspection/executables/verify-mach-o.ts'
import { inspectFile } from '../../../packages/server/src/inspection/inspect-file.ts'
import { ReleaseError } from '../release-error.ts'
import type { Target } from './targets.ts'

/** Node runs an embedded script only if the last character of this marker is 1. */
const embeddedMarker = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1'

/** Throws `ReleaseError` unless this is Node for the target, with an intact signature of its publisher if it has one. */
export async function checkNode(target: Target, program: Buffer): Promise<void> {
  const info = await readInfo(target, program)
  if (info.signer !== target.nodeSigner)
    throw new ReleaseError(`${target.nodePackage} is signed by ${info.signer}, not ${target.nodeSigner}.`)
  if (target.nodeSigner !== null && info.signature_status !== 'valid')
    throw new ReleaseError(`The signature of ${target.nodePackage} is ${info.signature_status}.`)
}

/**
 * Throws `ReleaseError` unless an executable is one for the target, contains a script, and has digests that match its code
 * where the platform requires them.
 */
export async function checkExecutable(target: Target, program: Buffer): Promise<void> {
  const { signature_status } = await readInfo(target, program)
  if (!program.includes(embeddedMarker)) throw new ReleaseError(`${target.name} contains no command line.`)
  if (signature_status === 'valid' || signature_status === 'invalid')
    throw new ReleaseError(`${target.name} still has the signature of Node.`)
  if (target.format === 'mach-o' && !(await hasMatchingDigests(program)))
    throw new ReleaseError(`The code signature of ${target.name} does not match its code.`)
}

async function readInfo(target: Target, program: Buffer) {
  const { file_info: info } = await inspectFile(bufferSource(program), '')
  if (info?.format !== target.format || info.architectures.join() !== target.architecture)
    throw new ReleaseError(
      `${target.name} is ${info?.format ?? 'not a program'} for ${info?.architectures.join() ?? 'no processor'}, ` +
        `not ${target.format} for ${target.architecture}.`,
    )
  return info
}

/** Returns whether a program for macOS has an ad hoc signature with the digests of all its pages. */
export async function hasMatchingDigests(program: Buffer): Promise<boolean> {
  const source = bufferSource(program)
  const [slice] = await listSlices(source)
  if (slice === undefined) return false
  const { signature } = await readMachOInfo(source, slice)
  if (signature === undefined) return false
  const { offset, sizeBytes } = signature
  const { directory, blobs } = readCodeSignature(program.subarray(offset, offset + sizeBytes))
  const code = { offset: 0, sizeBytes: offset }
  return directory !== undefined && matchesDigests(source, code, directory, blobs)
}

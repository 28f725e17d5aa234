/** Offsets in the optional header of a 64-bit program (PE32+). */
const optional = { checksum: 64, certificates: 112 + 4 * 8 }
const pe32Plus = 0x20b

/**
 * Returns a program for Windows without its signature. The signature of Node does not cover the embedded command line, and
 * Windows warns of an invalid signature more strongly than of a missing one.
 */
export function unsignPe(program: Buffer): Buffer {
  const optionalHeader = program.readUInt32LE(0x3c) + 24
  if (program.readUInt16LE(optionalHeader) !== pe32Plus)
    throw new Error('The program is not a 64-bit PE file.')
  const certificates = optionalHeader + optional.certificates
  const [offset, sizeBytes] = [program.readUInt32LE(certificates), program.readUInt32LE(certificates + 4)]
  if (offset === 0) return program
  if (offset + sizeBytes !== program.length)
    throw new Error('The signature is not at the end of the program.')
  const unsigned = Buffer.from(program.subarray(0, offset))
  unsigned.writeBigUInt64LE(0n, certificates)
  // Windows checks the checksum of drivers only.
  unsigned.writeUInt32LE(0, optionalHeader + optional.checksum)
  return unsigned
}

/** Maps processor types of Mach-O files (mach/machine.h) to architectures of the catalog. */
const architectures: Readonly<Record<number, string>> = {
  0x00000007: 'x86',
  0x01000007: 'x64',
  0x0000000c: 'armv7',
  0x0100000c: 'arm64v8',
}
const maxArchitectures = 16

/** Returns the processor architectures of a Mach-O executable, or an empty list for other files. */
export function architecturesOf(executable: Buffer): string[] {
  const magic = executable.readUInt32BE(0)
  const isUniversal = magic === 0xcafebabe
  if (!isUniversal && magic !== 0xcefaedfe && magic !== 0xcffaedfe) return []
  const types = isUniversal ? universalTypes(executable) : [executable.readUInt32LE(4)]
  return [...new Set(types.flatMap((type) => architectures[type] ?? []))]
}

function universalTypes(executable: Buffer): number[] {
  const count = Math.min(executable.readUInt32BE(4), maxArchitectures)
  return Array.from({ length: count }, (_, index) => executable.readUInt32BE(8 + index * 20))
}

/** Maps the ABIs of native libraries (https://developer.android.com/ndk/guides/abis) to architectures of the catalog. */
const architectures: Readonly<Record<string, string>> = {
  'arm64-v8a': 'arm64v8',
  armeabi: 'armv5',
  'armeabi-v7a': 'armv7',
  mips: 'mips',
  mips64: 'mips64',
  riscv64: 'risc-v64',
  x86: 'x86',
  x86_64: 'x64',
}

/** Returns the architecture of the catalog for an ABI, or undefined if it is unknown. */
export const abiArchitecture = (abi: string): string | undefined => architectures[abi]

const abiOfSplit = new Map(Object.keys(architectures).map((abi) => [abi.replaceAll('-', '_'), abi]))
/** Several splits for an ABI are numbered. The longest name is first, because `x86_64` starts with `x86`. */
const split = new RegExp(
  `[-.](${[...abiOfSplit.keys()].toSorted((a, b) => b.length - a.length).join('|')})(?:_\\d+)?\\.apk$`,
)

/** Returns the architecture in the name of a split, such as `base-arm64_v8a.apk`, or undefined if it has none. */
export const splitArchitecture = (path: string): string | undefined =>
  abiArchitecture(abiOfSplit.get(split.exec(path)?.[1] ?? '') ?? '')

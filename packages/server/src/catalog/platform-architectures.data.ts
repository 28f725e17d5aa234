const arm64 = 'arm64v8 armv9'
const arm = `armv7 armv8 ${arm64}`
const armV6Up = `armv6 ${arm}`
const armV5Up = `armv5 ${armV6Up}`
const cortexM = 'armv6-m armv7-m armv7e-m armv8-m-bl armv8-m-ml armv81-m'
const riscV = 'risc-v risc-v64'
const pc = 'x86 x64'
const everyLinux = `${pc} ppc ppc64 ibmz mips64 mips ${armV5Up} ${riscV} loongarch ia64 sparc alpha sh4 680x0 power6 pa-risc`

/**
 * Architecture identifiers by platform, separated by spaces. A platform that is not listed has only one architecture.
 */
export const platformArchitectures: Readonly<Record<string, string>> = {
  generic:
    `${pc} ppc ppc64 ibmz mips64 mips ${armV5Up} ${cortexM} armv7-r armv8-r ${riscV} msp430 loongarch ia64 ` +
    'sparc alpha vax pdp11 sh1 sh2 sh3 sh4 680x0 xtensa nios nios2 niosv rx avr 8051 z80 mipsx microblaze ' +
    'power6 power7 power8 power9 power10 pa-risc blackfin arc-v1 arc-v2 arc-v3 arc-v coldfire',
  windows: `${pc} ppc mips armv8 ${arm64}`,
  macos: `${pc} u2b apple ppc`,
  android: `${pc} mips64 mips ${armV5Up}`,
  ios: arm,
  'apple-watch': arm,
  'vision-pro': arm64,
  'apple-tv': arm64,
  homepod: arm64,
  wearos: `${pc} ${arm}`,
  kaios: arm,
  linux: everyLinux,
  debian: everyLinux,
  redhat: everyLinux,
  gentoo: `${pc} ppc ppc64 ibmz mips64 mips ${armV6Up} ${riscV} loongarch ia64 sparc alpha`,
  arch: 'x64',
  opensuse: `${pc} ppc ppc64 ibmz ${armV6Up}`,
  alpine: `${pc} ppc ppc64 ibmz ${armV5Up} ${riscV} loongarch sparc alpha power6`,
  nixos: `${pc} ${arm} risc-v64`,
  slackware: everyLinux,
  void: everyLinux,
  mageia: `${pc} ${arm}`,
  freebsd: `${pc} ppc ppc64 mips64 mips armv8 ${arm64} risc-v64 loongarch ia64 sparc alpha pa-risc`,
  openbsd: `${pc} ppc ppc64 mips64 armv8 ${arm64} risc-v64 loongarch ia64 sparc pa-risc`,
  zephyr: `${pc} mips64 mips ${arm} ${cortexM} armv7-r armv8-r ${riscV} sparc xtensa nios2 rx arc-v2 arc-v3`,
}

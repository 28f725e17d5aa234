/** Maps architectures of Debian and RPM packages to those of the catalog. */
const architectures: Readonly<Record<string, string>> = {
  amd64: 'x64',
  x86_64: 'x64',
  i386: 'x86',
  i486: 'x86',
  i586: 'x86',
  i686: 'x86',
  x32: 'x64',
  arm64: 'arm64v8',
  aarch64: 'arm64v8',
  armhf: 'armv7',
  armv7hl: 'armv7',
  armv7hnl: 'armv7',
  armv6hl: 'armv6',
  armel: 'armv5',
  armv5tel: 'armv5',
  // The catalog has one entry for both byte orders of 64-bit PowerPC, but separate ones for MIPS of 32 and 64 bits.
  ppc64el: 'ppc64',
  ppc64le: 'ppc64',
  ppc64: 'ppc64',
  powerpc: 'ppc',
  ppc: 'ppc',
  s390x: 'ibmz',
  riscv64: 'risc-v64',
  loong64: 'loongarch',
  loongarch64: 'loongarch',
  mips: 'mips',
  mipsel: 'mips',
  mips64: 'mips64',
  mips64el: 'mips64',
  mipsr6: 'mips',
  mipsr6el: 'mips',
  mips64r6: 'mips64',
  mips64r6el: 'mips64',
  ia64: 'ia64',
  alpha: 'alpha',
  hppa: 'pa-risc',
  m68k: '680x0',
  sh4: 'sh4',
  sparc: 'sparc',
  sparc64: 'sparc',
}

/** Returns a list with the architecture. It is empty if the architecture is unknown or the package has none. */
export function linuxArchitectures(name: string | null | undefined): string[] {
  const architecture = architectures[name ?? '']
  return architecture === undefined ? [] : [architecture]
}

/** Architectures of Debian, RPM and ELF files by their names in the catalog. */
const architectures: Readonly<Record<string, string>> = {
  amd64: 'x64',
  x86_64: 'x64',
  i386: 'x86',
  i486: 'x86',
  i586: 'x86',
  i686: 'x86',
  arm64: 'arm64v8',
  aarch64: 'arm64v8',
  armhf: 'armv7',
  armv7hl: 'armv7',
  armel: 'armv5',
  ppc64el: 'ppc64',
  ppc64le: 'ppc64',
  ppc64: 'ppc64',
  s390x: 'ibmz',
  riscv64: 'risc-v64',
  loong64: 'loongarch',
  loongarch64: 'loongarch',
  mips64el: 'mips64',
  mipsel: 'mips',
}

/** Returns the architectures of a package in a list with one element, or none if it runs everywhere or is unknown. */
export function linuxArchitectures(name: string | null | undefined): string[] {
  const architecture = architectures[name ?? '']
  return architecture === undefined ? [] : [architecture]
}

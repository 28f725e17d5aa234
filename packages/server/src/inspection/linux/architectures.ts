/** Maps architectures of Debian and RPM packages to those of the catalog. */
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

/** Returns a list with the architecture. It is empty if the architecture is unknown or the package has none. */
export function linuxArchitectures(name: string | null | undefined): string[] {
  const architecture = architectures[name ?? '']
  return architecture === undefined ? [] : [architecture]
}

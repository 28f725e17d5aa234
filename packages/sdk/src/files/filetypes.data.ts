// The part of the server's file type catalog that is needed to choose a platform. test/filetypes.test.ts checks that
// the two match. The server still validates the chosen platform.

/** The platforms that accept each extension, with the native one first and `generic` last. */
export const nativeExtensions: Record<string, string> = {
  aab: 'android wearos',
  apk: 'android quest pico vive magic-leap wearos alpine',
  app: 'macos zephyr generic',
  appimage: 'linux debian redhat gentoo arch slackware void mageia zephyr generic',
  appx: 'windows',
  appxbundle: 'windows',
  appxupload: 'windows',
  bat: 'windows zephyr generic',
  cab: 'windows zephyr generic',
  cmd: 'windows',
  com: 'windows',
  deb: 'linux debian zephyr generic',
  depot: 'zephyr generic',
  'depot.gz': 'zephyr generic',
  dll: 'windows zephyr generic',
  dmg: 'macos',
  ebuild: 'gentoo zephyr generic',
  exe: 'windows',
  flatpak: 'linux debian redhat gentoo arch slackware void mageia zephyr generic',
  flatpakref: 'linux debian redhat gentoo arch slackware void mageia zephyr generic',
  ipa: 'ios apple-watch vision-pro apple-tv homepod',
  mpk: 'magic-leap',
  mpkg: 'macos',
  msi: 'windows',
  msix: 'windows',
  msixbundle: 'windows',
  msixupload: 'windows',
  msixvc: 'windows',
  nar: 'nixos',
  nro: 'switch switch2',
  nso: 'switch switch2',
  nsp: 'switch switch2',
  package: 'linux zephyr generic',
  pdx: 'playdate',
  pkg: 'macos freebsd openbsd ps5 ps4 zephyr generic',
  'pkg.tar.gz': 'arch zephyr generic',
  'pkg.tar.xz': 'arch zephyr generic',
  'pkg.tar.zst': 'arch',
  qpkg: 'zephyr generic',
  qpr: 'zephyr generic',
  rbxl: 'roblox',
  rbxlx: 'roblox',
  rpm: 'linux redhat opensuse mageia zephyr generic',
  snap: 'linux redhat gentoo arch slackware mageia zephyr generic',
  szs: 'switch switch2',
  unityweb: 'generic',
  vxe: 'zephyr generic',
  xbps: 'void zephyr generic',
  xci: 'switch switch2',
  xvc: 'xbox-series',
}

/** Extensions that all `genericPlatforms` accept. */
export const genericExtensions = new Set(
  (
    '7z a air arc arj ark asc awk axf bin br bz bz2 bzip bzip2 chm ciso clj command cpgz cpio dart ' +
    'def dfu dtb dylib elf exs fsx fw groovy gz gzip h hex hs html ifs ihex ihx img ipk iso jar jl js ' +
    'ko lib lua lz4 lza lzh lzma lzo ml nupkg o opk out php pl ps1 py qcow qcow2 r rar rb run s19 s28 ' +
    's37 scala scm sh so squashfs srec swf tar tar.bz2 tar.gz tar.lzma tar.xz tbz tbz2 tcl tgz tlz ' +
    'trx txz ubi udf uf2 unix usb-dd vhd vmdk wim x86 x86_64 xar xbe xpi xz z zip zipx zlib zpaq zsh ' +
    'zst'
  ).split(' '),
)

/** Platforms that accept generic file types such as archives. */
export const genericPlatforms =
  'generic windows macos kaios linux debian redhat gentoo arch opensuse alpine nixos slackware void mageia freebsd openbsd zephyr'

/** Platforms that accept files without a known extension, such as plain executables. */
export const unknownTypePlatforms =
  'generic macos vision-pro linux debian redhat gentoo arch opensuse alpine nixos slackware void mageia freebsd openbsd zephyr'

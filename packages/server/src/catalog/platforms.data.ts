type PlatformRow = {
  identifier: string
  name: string
  shortName: string
  /** One sentence for the user who uploads a file. A test compares the file types that it mentions with the catalog. */
  uploadInstruction: string
  acceptsGenericFiletypes: boolean
}

export const platformRows: readonly PlatformRow[] = [
  {
    identifier: 'generic',
    name: 'Generic',
    shortName: 'Generic',
    uploadInstruction:
      'Upload a file that does not belong to another platform: an archive such as .zip or .tar.gz, a disk image, a firmware file or a plain binary.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'windows',
    name: 'Windows',
    shortName: 'Windows',
    uploadInstruction:
      'Upload an installer (.msi, .msix, .exe), an app package (.appx, .msixbundle) or a .zip of the program folder.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'macos',
    name: 'macOS',
    shortName: 'macOS',
    uploadInstruction:
      'Upload a disk image (.dmg), an installer package (.pkg) or a .zip of the application bundle.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'android',
    name: 'Android',
    shortName: 'Android',
    uploadInstruction:
      'Upload an Android package (.apk) or an app bundle (.aab); a package may come with one expansion file (.obb).',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'ios',
    name: 'iOS (iPhone/iPad)',
    shortName: 'iOS',
    uploadInstruction:
      'Upload an iOS app (.ipa) signed for development, ad hoc, enterprise or App Store distribution.',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'apple-watch',
    name: 'Apple Watch standalone (watchOS)',
    shortName: 'Apple Watch',
    uploadInstruction:
      'Upload a standalone watchOS app (.ipa); a watch app inside an iPhone app belongs to iOS.',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'vision-pro',
    name: 'Apple Vision Pro',
    shortName: 'Vision Pro',
    uploadInstruction: 'Upload a visionOS app (.ipa).',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'apple-tv',
    name: 'Apple TV (tvOS)',
    shortName: 'Apple TV',
    uploadInstruction: 'Upload a tvOS app (.ipa).',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'homepod',
    name: 'HomePod (audioOS)',
    shortName: 'HomePod',
    uploadInstruction: 'Upload an audioOS build (.ipa).',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'quest',
    name: 'Meta Quest',
    shortName: 'Quest',
    uploadInstruction: 'Upload the Android package (.apk) of the Quest app.',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'pico',
    name: 'Pico XR',
    shortName: 'Pico',
    uploadInstruction: 'Upload the Android package (.apk) of the Pico app.',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'vive',
    name: 'VIVE XR Mobile',
    shortName: 'VIVE Mobile',
    uploadInstruction: 'Upload the Android package (.apk) of the VIVE app.',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'magic-leap',
    name: 'Magic Leap',
    shortName: 'Magic Leap',
    uploadInstruction: 'Upload a Magic Leap package: .apk for Magic Leap 2, .mpk for Magic Leap 1.',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'wearos',
    name: 'Wear OS',
    shortName: 'Wear OS',
    uploadInstruction: 'Upload a Wear OS package (.apk) or an app bundle (.aab).',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'kaios',
    name: 'KaiOS',
    shortName: 'KaiOS',
    uploadInstruction: 'Upload the packaged app as a .zip.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'linux',
    name: 'Linux (Generic)',
    shortName: 'Linux',
    uploadInstruction:
      'Upload a portable package (.appimage, .flatpak, .snap), a .deb or .rpm, an archive such as .tar.gz, or the executable itself.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'debian',
    name: 'Debian/Ubuntu variants',
    shortName: 'Debian',
    uploadInstruction:
      'Upload a .deb package, an .appimage or .flatpak, an archive such as .tar.gz, or the executable itself.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'redhat',
    name: 'Red Hat/Fedora/CentOS',
    shortName: 'Red Hat',
    uploadInstruction:
      'Upload an .rpm package, a .flatpak or .snap, an archive such as .tar.gz, or the executable itself.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'gentoo',
    name: 'Gentoo Linux',
    shortName: 'Gentoo',
    uploadInstruction:
      'Upload an .ebuild, an .appimage, .flatpak or .snap, an archive such as .tar.xz, or the executable itself.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'arch',
    name: 'Arch Linux',
    shortName: 'Arch',
    uploadInstruction:
      'Upload a pacman package (.pkg.tar.zst), an .appimage or .flatpak, an archive such as .tar.gz, or the executable itself.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'opensuse',
    name: 'openSUSE',
    shortName: 'openSUSE',
    uploadInstruction: 'Upload an .rpm package, an archive such as .tar.gz, or the executable itself.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'alpine',
    name: 'Alpine Linux',
    shortName: 'Alpine Linux',
    uploadInstruction:
      'Upload an Alpine package (.apk), an archive such as .tar.gz, or the executable itself, linked against musl.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'nixos',
    name: 'NixOS',
    shortName: 'NixOS',
    uploadInstruction: 'Upload a Nix archive (.nar), an archive such as .tar.xz, or the executable itself.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'slackware',
    name: 'Slackware Linux',
    shortName: 'Slackware',
    uploadInstruction:
      'Upload a Slackware package (.txz, .tgz), an .appimage or .flatpak, or the executable itself.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'void',
    name: 'Void Linux',
    shortName: 'Void Linux',
    uploadInstruction:
      'Upload an XBPS package (.xbps), an .appimage or .flatpak, an archive such as .tar.xz, or the executable itself.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'mageia',
    name: 'Mageia/Mandriva/Mandrake',
    shortName: 'Mageia',
    uploadInstruction:
      'Upload an .rpm package, a .flatpak or .snap, an archive such as .tar.gz, or the executable itself.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'switch',
    name: 'Nintendo Switch',
    shortName: 'Switch',
    uploadInstruction:
      'Upload a submission package (.nsp), a card image (.xci) or an executable (.nro, .nso); upload game data as .szs.',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'switch2',
    name: 'Nintendo Switch 2',
    shortName: 'Switch 2',
    uploadInstruction:
      'Upload a submission package (.nsp), a card image (.xci) or an executable (.nro, .nso); upload game data as .szs.',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'ps5',
    name: 'PlayStation 5',
    shortName: 'PS5',
    uploadInstruction: 'Upload a PlayStation package (.pkg).',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'ps4',
    name: 'PlayStation 4',
    shortName: 'PS4',
    uploadInstruction: 'Upload a PlayStation package (.pkg).',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'xbox-series',
    name: 'Xbox Series X/S',
    shortName: 'Xbox Series X/S',
    uploadInstruction: 'Upload an Xbox virtual container (.xvc).',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'playdate',
    name: 'Playdate',
    shortName: 'Playdate',
    uploadInstruction: 'Upload a Playdate game (.pdx), with the bundle packed into one file.',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'roblox',
    name: 'Roblox',
    shortName: 'Roblox',
    uploadInstruction: 'Upload a Roblox place, binary (.rbxl) or XML (.rbxlx).',
    acceptsGenericFiletypes: false,
  },
  {
    identifier: 'freebsd',
    name: 'FreeBSD',
    shortName: 'FreeBSD',
    uploadInstruction: 'Upload a FreeBSD package (.pkg), an archive such as .txz, or the executable itself.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'openbsd',
    name: 'OpenBSD',
    shortName: 'OpenBSD',
    uploadInstruction: 'Upload a package (.tgz), an archive such as .tar.gz, or the executable itself.',
    acceptsGenericFiletypes: true,
  },
  {
    identifier: 'zephyr',
    name: 'Zephyr',
    shortName: 'Zephyr',
    uploadInstruction:
      'Upload the firmware image (.bin, .hex, .elf, .uf2) or an archive such as .zip with everything needed to flash it.',
    acceptsGenericFiletypes: true,
  },
]

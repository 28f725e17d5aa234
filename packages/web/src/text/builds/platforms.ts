type PlatformName = { identifier: string; name: string }

/** Every platform that an application can support, in the groups in which they are offered. */
export const platformGroups: readonly { label: string; platforms: readonly PlatformName[] }[] = [
  {
    label: 'Phones and tablets',
    platforms: [
      { identifier: 'android', name: 'Android' },
      { identifier: 'ios', name: 'iOS (iPhone/iPad)' },
      { identifier: 'kaios', name: 'KaiOS' },
    ],
  },
  {
    label: 'Desktop',
    platforms: [
      { identifier: 'windows', name: 'Windows' },
      { identifier: 'macos', name: 'macOS' },
      { identifier: 'linux', name: 'Linux (Generic)' },
      { identifier: 'debian', name: 'Debian/Ubuntu variants' },
      { identifier: 'redhat', name: 'Red Hat/Fedora/CentOS' },
      { identifier: 'gentoo', name: 'Gentoo Linux' },
      { identifier: 'arch', name: 'Arch Linux' },
      { identifier: 'opensuse', name: 'openSUSE' },
      { identifier: 'alpine', name: 'Alpine Linux' },
      { identifier: 'nixos', name: 'NixOS' },
      { identifier: 'slackware', name: 'Slackware Linux' },
      { identifier: 'void', name: 'Void Linux' },
      { identifier: 'mageia', name: 'Mageia/Mandriva/Mandrake' },
      { identifier: 'freebsd', name: 'FreeBSD' },
      { identifier: 'openbsd', name: 'OpenBSD' },
    ],
  },
  {
    label: 'Headsets',
    platforms: [
      { identifier: 'quest', name: 'Meta Quest' },
      { identifier: 'pico', name: 'Pico XR' },
      { identifier: 'vive', name: 'VIVE XR Mobile' },
      { identifier: 'magic-leap', name: 'Magic Leap' },
      { identifier: 'vision-pro', name: 'Apple Vision Pro' },
    ],
  },
  {
    label: 'Watches, TVs and speakers',
    platforms: [
      { identifier: 'apple-watch', name: 'Apple Watch standalone (watchOS)' },
      { identifier: 'wearos', name: 'Wear OS' },
      { identifier: 'apple-tv', name: 'Apple TV (tvOS)' },
      { identifier: 'homepod', name: 'HomePod (audioOS)' },
    ],
  },
  {
    label: 'Games consoles',
    platforms: [
      { identifier: 'switch', name: 'Nintendo Switch' },
      { identifier: 'switch2', name: 'Nintendo Switch 2' },
      { identifier: 'ps5', name: 'PlayStation 5' },
      { identifier: 'ps4', name: 'PlayStation 4' },
      { identifier: 'xbox-series', name: 'Xbox Series X/S' },
      { identifier: 'playdate', name: 'Playdate' },
      { identifier: 'roblox', name: 'Roblox' },
    ],
  },
  {
    label: 'Other',
    platforms: [
      { identifier: 'zephyr', name: 'Zephyr' },
      { identifier: 'generic', name: 'Generic' },
    ],
  },
]

export const platforms: readonly PlatformName[] = platformGroups.flatMap((group) => group.platforms)

/** Returns the name of a platform, or its identifier if a newer version of the server has added it. */
export const platformName = (identifier: string): string =>
  platforms.find((platform) => platform.identifier === identifier)?.name ?? identifier

import type { Device } from '../lib/device.ts'

const linuxPlatforms = 'linux debian redhat gentoo arch opensuse alpine nixos slackware void mageia'.split(
  ' ',
)

/** The platforms whose builds a device can install, by device. */
export const platformsOf: Record<Device, readonly string[]> = {
  android: ['android'],
  ios: ['ios'],
  windows: ['windows'],
  macos: ['macos'],
  linux: linuxPlatforms,
  unknown: [],
}

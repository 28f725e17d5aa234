import type { FullBuild } from '@quayside/sdk'

type Device = 'android' | 'ios' | 'desktop'

/** Returns the kind of device on which the console is open. An iPad reports itself as a Mac with a touch screen. */
export function thisDevice(): Device {
  const { userAgent, maxTouchPoints } = navigator
  if (/android/i.test(userAgent)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1))
    return 'ios'
  return 'desktop'
}

/** Returns whether builds of the platform are installed on phones and tablets. */
export const isHandheld = ({ identifier }: Pick<FullBuild['platform'], 'identifier'>): boolean =>
  handheldPlatforms.has(identifier)

const handheldPlatforms: ReadonlySet<string> = new Set(['android', 'ios', 'kaios'])

export type MainActionKind = 'install' | 'download' | 'scan'

/** Returns what a person most likely wants to do with a build on this device. */
export function mainActionOf({ platform }: Pick<FullBuild, 'platform'>, device: Device): MainActionKind {
  if (device === 'android' && platform.identifier === 'android') return 'install'
  if (device === 'desktop' && isHandheld(platform)) return 'scan'
  return 'download'
}

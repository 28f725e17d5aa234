import type { Adapter } from './adapter.ts'
import { altstore } from './altstore.ts'
import { appimage } from './appimage.ts'
import { apt } from './apt.ts'
import { electronReleaseServer } from './electron-release-server.ts'
import { electron } from './electron.ts'
import { fdroid } from './fdroid/fdroid.ts'
import { gitea } from './gitea.ts'
import { hazel } from './hazel.ts'
import { homebrew } from './homebrew.ts'
import { json } from './json.ts'
import { nuget } from './nuget.ts'
import { pacman } from './pacman.ts'
import { rpm } from './rpm.ts'
import { scoop } from './scoop.ts'
import { sparkle } from './sparkle.ts'
import { squirrelMac } from './squirrel-mac.ts'
import { squirrelWindows } from './squirrel-windows.ts'
import { tauri } from './tauri.ts'
import { velopack } from './velopack.ts'
import { winget } from './winget.ts'
import { winsparkle } from './winsparkle.ts'

/** Every format, by the segment of the URL that selects it. */
export const formats = {
  sparkle,
  winsparkle,
  electron,
  tauri,
  velopack,
  'squirrel-mac': squirrelMac,
  'squirrel-windows': squirrelWindows,
  appimage,
  json,
  hazel,
  'electron-release-server': electronReleaseServer,
  apt,
  rpm,
  pacman,
  fdroid,
  gitea,
  homebrew,
  scoop,
  nuget,
  winget,
  altstore,
} as const satisfies Record<string, Adapter>

export type FormatId = keyof typeof formats

export const formatIds = Object.keys(formats) as FormatId[]

export const findFormat = (id: string): Adapter | undefined =>
  Object.hasOwn(formats, id) ? formats[id as FormatId] : undefined

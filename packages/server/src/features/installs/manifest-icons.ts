import type { Deps } from '../../deps.ts'
import { InspectionError } from '../../inspection/inspection.ts'
import { findStoredIcon } from '../../storage/objects/stored-objects.db.ts'
import { readIcon } from '../icons/icon.ts'

/** The icons that a manifest names, with the size in pixels that Apple requires of each. */
const sides = { 'display-image': 57, 'full-size-image': 512 } as const
export type ManifestIcon = keyof typeof sides

export const manifestIcons = Object.keys(sides) as ManifestIcon[]

export const iconFilename = (icon: ManifestIcon): string => `${icon}.png`

export const findManifestIcon = (filename: string): ManifestIcon | undefined =>
  manifestIcons.find((icon) => iconFilename(icon) === filename)

/** Returns an icon in the sizes of a manifest, or undefined if it cannot be scaled. */
export async function scaleIcon(
  { db, storage, imageEncoder, log }: Pick<Deps, 'db' | 'storage' | 'imageEncoder' | 'log'>,
  key: string,
): Promise<Record<ManifestIcon, Buffer> | undefined> {
  async function read() {
    const icon = await findStoredIcon(db, key)
    return icon && readIcon({ storage }, icon.object)
  }
  try {
    const [display, full] = (await imageEncoder.scaleToSquares({ key, read }, Object.values(sides))) ?? []
    return display && full && { 'display-image': display, 'full-size-image': full }
  } catch (error) {
    if (!(error instanceof InspectionError)) throw error
    log.info({ err: error }, 'an icon could not be scaled')
    return undefined
  }
}

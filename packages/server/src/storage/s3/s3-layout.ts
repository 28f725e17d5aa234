import type { QuarantinedKey, StoredKey } from '../driver.ts'
import { isKey } from '../local/local-layout.ts'
import { quarantineName, readQuarantineName } from '../local/quarantine-name.ts'

/*
 * The objects in the bucket, after the prefix:
 *   staging/<key>               the body of the last single PUT
 *   objects/<key>               a sealed object, for which no PUT URL of a whole file was ever signed; multipart uploads
 *                               are opened on this key
 *   discarded/<key>             an empty object: the upload was aborted, and its bytes are deleted again until no signed
 *                               URL for it can be valid
 *   quarantine/<time>/<area>/<key>  an empty object: no row refers to the bytes, which are deleted a week later
 *   installation-id             the installation that the bucket belongs to
 *   check                       the last write of a health check
 */
export type S3Layout = {
  prefix: string
  staging: (key: string) => string
  objects: (key: string) => string
  discarded: (key: string) => string
  quarantined: (found: QuarantinedKey) => string
  /** The area of a key in the bucket, or undefined if the name is not of the form `<area>/<key>`. */
  readName: (name: string) => { area: string; key: string } | undefined
  readQuarantinedName: (name: string) => QuarantinedKey | undefined
  installationId: string
  check: string
}

const stateOf: Record<string, StoredKey['state']> = { staging: 'staged', objects: 'sealed' }

/** Returns the names of objects in a bucket. Throws for a key that is not a lowercase UUID. */
export function s3Layout(prefix: string): S3Layout {
  const locate = (area: string) => (key: string) => {
    if (!isKey(key)) throw new TypeError(`not a storage key: ${JSON.stringify(key)}`)
    return `${prefix}${area}/${key}`
  }
  const pathOf = (name: string) => name.slice(prefix.length).split('/')
  return {
    prefix,
    staging: locate('staging'),
    objects: locate('objects'),
    discarded: locate('discarded'),
    quarantined: ({ key, state, quarantinedAt }) =>
      locate(`quarantine/${quarantineName(quarantinedAt)}/${state === 'staged' ? 'staging' : 'objects'}`)(
        key,
      ),
    readName(name) {
      const [area = '', key = '', ...others] = pathOf(name)
      return isKey(key) && others.length === 0 ? { area, key } : undefined
    },
    readQuarantinedName(name) {
      const [, time = '', area = '', key = '', ...others] = pathOf(name)
      const [quarantinedAt, state] = [readQuarantineName(time), stateOf[area]]
      if (quarantinedAt === undefined || state === undefined || !isKey(key) || others.length > 0)
        return undefined
      return { key, state, quarantinedAt }
    },
    installationId: `${prefix}installation-id`,
    check: `${prefix}check`,
  }
}

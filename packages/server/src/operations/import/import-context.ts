import type { SecretBox } from '../../crypto/secret-box.ts'
import type { Db } from '../../database/transaction.ts'
import type { Progress } from '../../lib/progress.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import type { ExportManifest } from '../export/export-folder.ts'
import type { MapId } from './id-map.ts'
import type { ImportState } from './import.db.ts'
import type { VerifiedExport } from './verify-export.ts'

/** What every step of an import needs. */
export type ImportContext = {
  db: Db
  storage: Pick<StorageDriver, 'store'>
  folder: string
  /** The URL of this server. */
  publicUrl: string
  manifest: ExportManifest
  exported: VerifiedExport
  state: ImportState
  mapId: MapId
  /** Opens the secrets in the export and seals them for this server. Without a passphrase, they are not imported. */
  secrets: { box: SecretBox; passphraseBox: SecretBox | undefined }
  onProgress: (progress: Progress) => void
}

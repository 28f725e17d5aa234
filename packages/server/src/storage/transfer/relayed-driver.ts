import type { Clock } from '../../lib/clock.ts'
import type { StorageDriver } from '../driver.ts'
import type { UrlSigner } from './signed-url.ts'

type Options = {
  driver: StorageDriver
  /** Signs the URLs of the relay. */
  signer: Pick<UrlSigner, 'sign'>
  publicUrl: string
  clock: Pick<Clock, 'now'>
}

/**
 * Creates a driver that returns URLs of the relay (`relay-endpoint.ts`) where a URL of a bucket does not support the
 * requests of the client.
 */
export function createRelayedDriver({ driver, signer, publicUrl, clock }: Options): StorageDriver {
  const ownUrls = `${publicUrl.replace(/\/+$/, '')}/storage/`
  const expiresAt = (expiresInSeconds: number) => Math.floor(clock.now().getTime() / 1000) + expiresInSeconds
  return {
    ...driver,

    async signPart(file, part) {
      const url = await driver.signPart(file, part)
      if (part.isChunked !== true || url.startsWith(ownUrls)) return url
      const { multipartId, partNumber, sizeBytes, callerId = '', expiresInSeconds } = part
      return signer.sign(
        { method: 'PUT', key: file.key, partNumber, sizeBytes, callerId, multipartId },
        expiresAt(expiresInSeconds),
      )
    },

    async signGet({ key }, download) {
      const url = await driver.signGet({ key }, download)
      if (download.isDirect === true || url.startsWith(ownUrls)) return url
      const { contentType, expiresInSeconds } = download
      const filename = download.filename.toWellFormed()
      return signer.sign({ method: 'GET', key, filename, contentType }, expiresAt(expiresInSeconds))
    },
  }
}

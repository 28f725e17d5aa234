/** A file that is about to be uploaded. `key` is a lower-case UUID made by the server: nothing a client typed. */
export type StagedFile = { key: string; sizeBytes: number; filename: string; contentType: string }

/** `headers` are exactly Content-Type, Content-Length, Content-Disposition and x-amz-acl, all strings. */
export type SignedRequest = { url: string; headers: Record<string, string> }

/** One durable attempt at one part. `partNumber` 0 is the whole file by one PUT; `etag` carries no quotes. */
export type StagedPart = {
  partNumber: number
  etag: string
  sizeBytes: number
  storedAt: Date
  /** The driver's own name for these bytes, never two different contents under one name. */
  name: string
  md5?: string
  sha256?: string
}

/** Bytes that nobody can change any more: `segments` one after the other. Checksums are hex, of the whole, where known. */
export type SealedObject = {
  key: string
  sizeBytes: number
  segments: { name: string; sizeBytes: number }[]
  md5?: string
  sha256?: string
}

/** Both ends inclusive, counted from 0; `end` is below the size of the object. */
export type ByteRange = { start: number; end: number }

export type Download = { filename: string; contentType: string; expiresInSeconds: number }

export type StoredKey = { key: string; state: 'staged' | 'sealed' }

/**
 * Where bytes live. An upload is staged by signed PUTs, sealed once, and read for ever after.
 *
 * Every method throws `Problem('unavailable')` when the store cannot be reached. Foreign errors never leave a driver.
 * An S3 driver stages a single PUT on a key of its own and lets `seal` copy it to a final key no URL was signed for;
 * a multipart upload completes on the final key. It decides what happened by HEAD, never by the answer to a call.
 */
export interface StorageDriver {
  /** A request that stores the whole file as part 0. Only a body of exactly `sizeBytes` is kept. */
  signPut(file: StagedFile, options: { expiresInSeconds: number }): Promise<SignedRequest>

  /** An opaque id, to be kept and handed to the calls below; '' where the driver needs none. */
  openMultipart(file: StagedFile): Promise<string>

  /** A URL that stores one part (1 … 10,000) of exactly `sizeBytes` bytes. Asking again gives another valid URL. */
  signPart(
    file: StagedFile,
    part: { multipartId: string; partNumber: number; sizeBytes: number; expiresInSeconds: number },
  ): Promise<string>

  /**
   * Every durable attempt, by part number, then oldest first; an unknown key gives []. After `seal` a driver answers
   * what it still knows: keep the chosen parts before sealing, so that a crash between seal and commit can seal again.
   */
  listStaged(key: string, multipartId: string): Promise<StagedPart[]>

  /**
   * Freezes the chosen attempts, in the order given, as one object. Idempotent and durable when it returns; from then
   * on no signed PUT changes a byte (409). Throws `conflict` with code `storage.part_missing` when one is not there.
   */
  seal(key: string, multipartId: string, chosen: StagedPart[]): Promise<SealedObject>

  /** Drops the staged bytes, all attempts. It cannot touch a sealed object, whatever the order of calls. */
  discard(key: string, multipartId: string): Promise<void>

  /** Drops the attempts that a sealed object does not use. Call it after its manifest is committed; never throws. */
  prune(object: SealedObject): Promise<void>

  /** Seals bytes that the service itself holds, under a key that has none yet; durable when it resolves. */
  store(key: string, bytes: Uint8Array): Promise<SealedObject>

  /** The bytes of the object or of a range, in order, in buffers the reader may keep; throws rather than end short. */
  read(object: SealedObject, range?: ByteRange): AsyncIterable<Uint8Array>

  /**
   * MD5 and SHA-256 (hex) of all bytes, read once and hashed off the main thread, at some 500 MB/s: for objects of
   * several parts, whose checksums no store knows. Aborting the signal throws its reason.
   */
  checksums(
    object: SealedObject,
    options?: { signal?: AbortSignal },
  ): Promise<{ md5: string; sha256: string }>

  /** A URL that downloads the object, always as an attachment, with HEAD and single ranges. */
  signGet(object: { key: string }, download: Download): Promise<string>

  /** Deletes the sealed bytes. Idempotent. */
  remove(object: { key: string }): Promise<void>

  /** Keys not written to since `unchangedSince`: `staged` ones can be discarded, sealed ones removed, if no row has them. */
  listKeys(options: { unchangedSince: Date }): AsyncIterable<StoredKey>

  /** Returns when the store is reachable and writable, else throws `Problem('unavailable')`. */
  check(): Promise<void>
}

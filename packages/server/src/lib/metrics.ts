/** A transfer of bytes to or from storage that is in progress. */
export type Transfer = {
  /** Counts bytes that have been received or sent. */
  add(sizeBytes: number): void
  end(): void
}

/**
 * Records what the service does. The values of labels come from the code, never from a request, so that their number is
 * limited.
 */
export type Metrics = {
  /** `route` is the path with parameter names, such as `/api/v1/applications/:application_id`. */
  recordRequest(request: {
    method: string
    route: string
    status: number
    /** Undefined for transfers of files and event streams, whose duration depends on the client. */
    seconds: number | undefined
  }): void
  startTransfer(direction: 'upload' | 'download'): Transfer
  recordVerifiedUpload(upload: { kind: string; sizeBytes: number }): void
  /** `errorCode` is the SQLSTATE of a failed statement, or the code of the error if no response was received. */
  recordStatement(statement: { seconds: number; errorCode: string | undefined }): void
  recordJob(job: { name: string; seconds: number; hasFailed: boolean }): void
  recordWebhookAttempt(attempt: { seconds: number; isDelivered: boolean }): void
  recordDamagedFile(): void
}

const noTransfer: Transfer = { add: () => {}, end: () => {} }

/** Records nothing. */
export const noMetrics: Metrics = {
  recordRequest: () => {},
  startTransfer: () => noTransfer,
  recordVerifiedUpload: () => {},
  recordStatement: () => {},
  recordJob: () => {},
  recordWebhookAttempt: () => {},
  recordDamagedFile: () => {},
}

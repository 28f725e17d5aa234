import { clientProcess } from './client-process.ts'

export type UploadLoad = {
  origin: string
  key: string
  applicationId: string
  clients: number
  seconds: number
  /** No more than these. */
  cycles?: number
}

/** Builds a second that as many clients make: request, PUT of 1 KiB, verify. */
export const uploadCycles = (load: UploadLoad): Promise<number> =>
  clientProcess('upload-cycles.client.ts', load)

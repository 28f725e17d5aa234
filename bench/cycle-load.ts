import { rateOf } from './measured-program.ts'

export type CycleLoad = {
  port: number
  key: string
  applicationId: string
  clients: number
  seconds: number
  sizeBytes: number
}

/** Whole cycles of request, PUT and verify a second, by as many clients in a process of their own. */
export const cycleLoad = (load: CycleLoad): Promise<number> => rateOf('cycle-load.client.ts', load)

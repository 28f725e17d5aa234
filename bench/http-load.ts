import { clientProcess } from './client-process.ts'

export type HttpLoad = { port: number; path: string; key: string; clients: number; seconds: number }

/** Requests a second that as many keep-alive clients get answered with 200. */
export const httpLoad = (load: HttpLoad): Promise<number> => clientProcess('http-load.client.ts', load)

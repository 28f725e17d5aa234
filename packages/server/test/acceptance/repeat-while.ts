import { setTimeout as pause } from 'node:timers/promises'

const maxAttempts = 5
/** The time that the service names in `Retry-After`. */
const retryAfterMs = 1000

/** Whether the service refused a request, as while the database of a busy machine takes too long. */
export const isUnavailable = ({ status }: { status: number }): boolean => status === 503

/** Sends a request again, as clients do, while a busy machine refuses it. Returns the last response after five attempts. */
export async function repeatWhile<Response>(
  isRefused: (response: Response) => boolean,
  send: () => Promise<Response>,
): Promise<Response> {
  let response = await send()
  for (let attempt = 1; attempt < maxAttempts && isRefused(response); attempt++) {
    await pause(retryAfterMs)
    response = await send()
  }
  return response
}

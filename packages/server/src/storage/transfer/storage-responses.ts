import type { IncomingMessage, ServerResponse } from 'node:http'
import { documentHeaders, renderDocument } from '../../http/pages/document.ts'
import { errorDocument, explainCode } from '../../http/pages/error-page.ts'
import { textFor } from '../../http/pages/text/text-for.ts'
import { isNavigation } from '../../http/wire/accept.ts'
import type { Problem } from '../../lib/problem.ts'

/** Signed URLs may be used from any origin, because the URL itself grants access and cookies are not used. */
export const commonHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Content-Length, Content-Range, Content-Disposition, Accept-Ranges',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

const lingerMs = 5000

const symbols = { 'storage.url_expired': 'clock', 'storage.bad_signature': 'search' } as const

function errorPage(
  { code, message }: Pick<Problem, 'code' | 'message'>,
  { headers }: IncomingMessage,
): string {
  const text = textFor(headers['accept-language'])
  const { byCode, general } = text.storage
  const explanation = explainCode(code, byCode, symbols) ?? { ...general, text: general.text(message) }
  return renderDocument(errorDocument(explanation), text)
}

/** Sends `{message, code}`, or a page if a browser opened the URL, so that the client receives it even if it is still sending its body. */
export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  {
    status,
    code,
    message,
    headers,
  }: Pick<Problem, 'status' | 'code' | 'message'> & { headers?: Problem['headers'] },
  { linger = true }: { linger?: boolean } = {},
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const isForPeople = request.method === 'GET' && isNavigation(request)
  const body = Buffer.from(
    isForPeople ? errorPage({ code, message }, request) : JSON.stringify({ message, code }),
  )
  const isSending = !request.complete && hasBody(request)
  response.writeHead(status, {
    ...commonHeaders,
    ...headers,
    ...(isSending && { connection: 'close' }),
    'cache-control': 'no-store',
    ...(isForPeople ? documentHeaders() : { 'content-type': 'application/json; charset=utf-8' }),
    'content-length': body.length,
  })
  if (!isSending || !linger) {
    response.end(body)
    return
  }
  // Closing a connection with unread bytes resets it, and the client may never receive the response (RFC 9112, section
  // 9.6).
  response.write(body)
  const close = (): void => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(close, lingerMs)
  request.once('end', close).once('close', close).on('error', close).resume()
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

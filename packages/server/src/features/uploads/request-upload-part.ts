import { endpoint } from '../../http/endpoint.ts'
import { PartRequest, signPart, SignedPart } from './sign-part.ts'

export const requestUploadPart = endpoint({
  method: 'POST',
  path: '/upload/request/multipart',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Get the URL of one part of the primary file',
  description: 'Parts may be sent in parallel and in any order. Asking again gives a new URL.',
  body: PartRequest,
  lenient: true,
  budget: 'uploads',
  returns: SignedPart,
  handle: (call) => signPart(call, 'primary', call.body),
})

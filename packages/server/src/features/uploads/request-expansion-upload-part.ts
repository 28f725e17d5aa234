import { endpoint } from '../../http/endpoint.ts'
import { PartRequest, signPart, SignedPart } from './sign-part.ts'

export const requestExpansionUploadPart = endpoint({
  method: 'POST',
  path: '/upload/request/multipart/expansion',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Get the URL of one part of the expansion file',
  body: PartRequest,
  lenient: true,
  budget: 'uploads',
  returns: SignedPart,
  handle: (call) => signPart(call, 'expansion', call.body),
})

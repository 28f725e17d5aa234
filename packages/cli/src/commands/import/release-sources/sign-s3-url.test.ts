import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signS3Url } from './sign-s3-url.ts'

// The key and the first case are those of the AWS documentation, "Authenticating Requests: Using Query Parameters".
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const example = {
  url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
  method: 'GET',
  region: 'us-east-1',
  credentials,
  expiresInSeconds: 86_400,
  now: new Date('2013-05-24T00:00:00Z'),
} as const

test('signs the example of the AWS documentation', () => {
  assert.equal(
    signS3Url(example).href,
    'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
      '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})

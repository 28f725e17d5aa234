import { randomUUID } from 'node:crypto'
import { testBucket } from '../../../server/test/acceptance/test-storage.ts'
import { missingS3Server, putObjects, sharedS3Server } from '../../../server/test/s3-server.ts'
import type { Member, TestRelease } from './member.ts'

let release = async () => {}

/** A new prefix in the bucket of an S3 server. */
export async function startS3() {
  const shared = await sharedS3Server()
  release = shared.release
  const { server } = shared
  const prefix = `${randomUUID()}/compass/`
  const put = (objects: Record<string, Buffer>) =>
    putObjects(server, new Map(Object.entries(objects).map(([key, bytes]) => [`${prefix}${key}`, bytes])))
  return {
    prefix,
    put,
    args: ['--from', 's3', '--url', server.endpoint, '--bucket', testBucket, '--prefix', prefix],
    env: { AWS_ACCESS_KEY_ID: server.accessKeyId, AWS_SECRET_ACCESS_KEY: server.secretAccessKey },
    publish: ({ version, notes, filename, bytes }: TestRelease) =>
      put({ [`v${version}/release notes.md`]: Buffer.from(notes), [`v${version}/${filename}`]: bytes }),
  }
}

export const s3Member: Member = {
  name: 'S3',
  skip: missingS3Server,
  start: startS3,
  titleOf: ({ version }) => `v${version}`,
  keepsDates: false,
  stop: () => release(),
}

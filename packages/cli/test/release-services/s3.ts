import { randomUUID } from 'node:crypto'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { testBucket } from '../../../server/test/acceptance/test-storage.ts'
import { createTestClient, missingS3Server, sharedS3Server } from '../../../server/test/s3-server.ts'
import type { Member, TestRelease } from './member.ts'

let closeAll = async () => {}

/** A new prefix in the bucket of an S3 server. */
export async function startS3() {
  const { server, release } = await sharedS3Server()
  const client = createTestClient(server)
  closeAll = async () => {
    client.destroy()
    await release()
  }
  const prefix = `${randomUUID()}/compass/`
  const put = async (key: string, bytes: Buffer) => {
    await client.send(new PutObjectCommand({ Bucket: testBucket, Key: `${prefix}${key}`, Body: bytes }))
  }
  return {
    server,
    prefix,
    put,
    args: ['--from', 's3', '--url', server.endpoint, '--bucket', testBucket, '--prefix', prefix],
    env: { AWS_ACCESS_KEY_ID: server.accessKeyId, AWS_SECRET_ACCESS_KEY: server.secretAccessKey },
    async publish({ version, notes, filename, bytes }: TestRelease) {
      await put(`v${version}/release notes.md`, Buffer.from(notes))
      await put(`v${version}/${filename}`, bytes)
    },
  }
}

export const s3Member: Member = {
  name: 'S3',
  skip: missingS3Server,
  start: startS3,
  titleOf: ({ version }) => `v${version}`,
  keepsDates: false,
  stop: () => closeAll(),
}

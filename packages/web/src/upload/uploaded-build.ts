import type { VerifyUploadResponse } from '@quayside/sdk'
import type { UploadedBuild } from './upload.ts'

/** Returns what is shown of the build that an upload has created. */
export function uploadedBuild(
  build: Pick<
    VerifyUploadResponse['build'],
    'id' | 'version' | 'build_number' | 'platform' | 'stream' | 'modal_url'
  >,
): UploadedBuild {
  const { id, version, build_number: number, platform, stream, modal_url: url } = build
  return {
    id,
    version: number === null ? version : `${version} (${number})`,
    platform: platform.name,
    platformId: platform.identifier,
    stream: stream.name,
    url,
  }
}

import { run } from './commands.ts'
import type { Service } from './service.ts'

type Requested = {
  pending_upload_id: string
  primary_file: { presigned_data: { url: string; headers: Record<string, string> } }
}

/** An application to upload to. */
export async function createApplication(service: Service): Promise<string> {
  const { data } = await service.api<{ data: { id: string } }>('POST', '/applications', {
    name: 'Benchmarks',
  })
  return data.id
}

export const requestUpload = (service: Service, applicationId: string, sizeBytes: number, patch: number) =>
  service.api<Requested>('POST', '/upload/request', {
    application_id: applicationId,
    platform: 'generic',
    stream: 'default',
    source: 'cli-upload',
    primary_file: { filename: 'package.zip', size_bytes: sizeBytes },
    version_component_1_major: 1,
    version_component_2_minor: 0,
    version_component_3_patch: patch,
  })

/** Uploads a file whole and answers its build. */
export async function uploadBuild(service: Service, applicationId: string, path: string, sizeBytes: number) {
  const { pending_upload_id, primary_file } = await requestUpload(service, applicationId, sizeBytes, 0)
  await run('curl', putArguments(path, primary_file.presigned_data))
  const { build_id } = await service.api<{ build_id: string }>('POST', '/upload/verify', {
    pending_upload_id,
  })
  return build_id
}

export function putArguments(
  path: string,
  { url, headers = {} }: { url: string; headers?: Record<string, string> },
): string[] {
  const lines = Object.entries(headers).filter(([name]) => name !== 'Content-Length')
  return [
    '-sSf',
    '-o',
    '/dev/null',
    ...lines.flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    '-T',
    path,
    url,
  ]
}

import { run } from './commands.ts'
import type { Service } from './service.ts'

type UploadRequest = {
  pending_upload_id: string
  primary_file: { presigned_data: { url: string; headers: Record<string, string> } }
}

/** Creates an application and returns its ID. */
export async function createApplication(service: Service): Promise<string> {
  const body = { name: 'Benchmarks' }
  return (await service.api<{ data: { id: string } }>('POST', '/applications', body)).data.id
}

/** Creates an API key for the application and returns it. */
export async function createApiKey(service: Service, applicationId: string, scope: string): Promise<string> {
  const path = `/applications/${applicationId}/api-keys`
  const body = { name: 'Benchmarks', scopes: [scope] }
  return (await service.api<{ data: { key: string } }>('POST', path, body)).data.key
}

export const requestUpload = (service: Service, applicationId: string, sizeBytes: number, patch: number) =>
  service.api<UploadRequest>('POST', '/upload/request', {
    application_id: applicationId,
    platform: 'generic',
    stream: 'default',
    source: 'cli-upload',
    primary_file: { filename: 'package.zip', size_bytes: sizeBytes },
    version_component_1_major: 1,
    version_component_2_minor: 0,
    version_component_3_patch: patch,
  })

/** Uploads a file with one PUT and returns the build ID. */
export async function uploadBuild(
  service: Service,
  applicationId: string,
  path: string,
  sizeBytes: number,
  patch = 0,
) {
  const { pending_upload_id, primary_file } = await requestUpload(service, applicationId, sizeBytes, patch)
  await run('curl', putArguments(path, primary_file.presigned_data))
  const body = { pending_upload_id }
  return (await service.api<{ build_id: string }>('POST', '/upload/verify', body)).build_id
}

/** Returns the curl arguments that send a file to a URL. */
export function putArguments(
  path: string,
  { url, headers = {}, method = 'PUT' }: { url: string; headers?: Record<string, string>; method?: string },
): string[] {
  const lines = Object.entries(headers).filter(([name]) => name !== 'Content-Length')
  const headerArguments = lines.flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  return [...'-sSf -o /dev/null'.split(' '), ...headerArguments, '-X', method, '-T', path, url]
}

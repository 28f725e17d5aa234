import type { CustomStore, CustomStoreInput } from '@quayside/sdk'

export type StoreValues = {
  bucket: string
  endpoint: string
  region: string
  prefix: string
  addressing: 'automatic' | 'path' | 'host'
  acl: 'automatic' | CustomStore['acl']
  access_key_id: string
  secret_access_key: string
}

export const acls: { value: StoreValues['acl']; label: string }[] = [
  { value: 'automatic', label: 'Automatic' },
  { value: 'private', label: 'private' },
  { value: 'bucket-owner-full-control', label: 'bucket-owner-full-control' },
  { value: 'none', label: 'none' },
]

export const addressings: { value: StoreValues['addressing']; label: string }[] = [
  { value: 'automatic', label: 'Automatic' },
  { value: 'path', label: 'In the path' },
  { value: 'host', label: 'In the host name' },
]

/** Returns the fields of the saved store, or those of a new one. Keys are never shown. */
export const storeValues = (store: CustomStore | null): StoreValues => ({
  bucket: store?.bucket ?? '',
  endpoint: store?.endpoint ?? '',
  region: store?.region ?? '',
  prefix: store?.prefix ?? '',
  addressing: store === null ? 'automatic' : store.force_path_style ? 'path' : 'host',
  acl: store?.acl ?? 'automatic',
  access_key_id: '',
  secret_access_key: '',
})

/** Returns what the server receives. Empty keys keep the saved ones. */
export function storeInput(values: StoreValues): CustomStoreInput {
  const { endpoint, region, addressing, acl, access_key_id, secret_access_key, bucket, prefix } = values
  return {
    bucket: bucket.trim(),
    prefix: prefix.trim().replaceAll(/^\/+|\/+$/g, ''),
    endpoint: endpoint.trim() === '' ? null : endpoint.trim(),
    ...(addressing !== 'automatic' && { force_path_style: addressing === 'path' }),
    ...(acl !== 'automatic' && { acl }),
    ...(region.trim() !== '' && { region: region.trim() }),
    ...(access_key_id.trim() !== '' && { access_key_id: access_key_id.trim() }),
    ...(secret_access_key.trim() !== '' && { secret_access_key: secret_access_key.trim() }),
  }
}

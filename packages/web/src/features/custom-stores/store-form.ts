import type { CustomStore, CustomStoreInput } from '@quayside/sdk'

export type StoreValues = {
  bucket: string
  endpoint: string
  region: string
  prefix: string
  force_path_style: boolean
  acl: CustomStore['acl']
  access_key_id: string
  secret_access_key: string
}

export const acls: CustomStore['acl'][] = ['private', 'bucket-owner-full-control', 'none']

/** Returns the fields of the saved store, or those of a new one. Keys are never shown. */
export const storeValues = (store: CustomStore | null): StoreValues => ({
  bucket: store?.bucket ?? '',
  endpoint: store?.endpoint ?? '',
  region: store?.region ?? '',
  prefix: store?.prefix ?? '',
  force_path_style: store?.force_path_style ?? true,
  acl: store?.acl ?? 'private',
  access_key_id: '',
  secret_access_key: '',
})

/** Returns what the server receives. Empty keys keep the saved ones. */
export function storeInput(values: StoreValues): CustomStoreInput {
  const { endpoint, region, access_key_id, secret_access_key, ...fields } = values
  return {
    ...fields,
    bucket: fields.bucket.trim(),
    prefix: fields.prefix.trim().replaceAll(/^\/+|\/+$/g, ''),
    endpoint: endpoint.trim() === '' ? null : endpoint.trim(),
    ...(region.trim() !== '' && { region: region.trim() }),
    ...(access_key_id.trim() !== '' && { access_key_id: access_key_id.trim() }),
    ...(secret_access_key.trim() !== '' && { secret_access_key: secret_access_key.trim() }),
  }
}

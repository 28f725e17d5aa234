export const storeText = {
  section:
    'Store application files in your own S3-compatible bucket instead of on this server. Uploads and downloads go directly to the bucket.',
  existing: 'Earlier files stay where they are and can still be downloaded.',
  hosted: 'New uploads are stored on this server.',
  disabled: 'The bucket is disabled. New uploads are stored on this server.',
  enabled: 'New uploads go to this bucket.',
  endpoint: 'For example, https://s3.example.com. Leave empty for AWS.',
  region: 'Required for AWS.',
  prefix: 'Files are stored below this path.',
  pathStyle: 'Automatic: in the host name for AWS, otherwise in the path.',
  acl: 'Automatic: bucket-owner-full-control for AWS, otherwise private.',
  keys: 'Stored encrypted and never shown again.',
  keepKeys: 'Leave both keys empty to keep the saved ones.',
  test: 'The test writes, reads, lists and deletes a file below the prefix, and allows this console in the bucket CORS settings. Nothing is saved if a step fails.',
  testing: 'Testing the bucket…',
  saved: 'Bucket saved',
  reload: 'Reload this page before you upload from this tab, so that the browser allows the new address.',
  remove:
    'New uploads are stored on this server. Files in the bucket stay there and can still be downloaded, so the service keeps the keys until the last of them is deleted.',
  previous: 'These buckets contain files of this application but receive no new uploads.',
  readOnly: 'Only application admins can change these settings.',
  bucket: 'An existing bucket.',
}

/** What each step of the test does. */
export const storeSteps = {
  reach: 'Reach the store',
  clock: 'Compare the clocks',
  authenticate: 'Sign in and open the bucket',
  ownership: 'Check that nothing else uses the prefix',
  write: 'Upload a file',
  read: 'Download it',
  multipart: 'Upload in parts',
  list: 'List the files',
  delete: 'Delete the file',
  cors: 'Upload from a browser',
} as const

export const insightsText = {
  empty: 'Uploads, downloads and storage appear here once the first build is uploaded.',
  channels: {
    api: 'API and command line',
    console: 'Console',
    'share-link': 'Share links',
    'distribution-group': 'Distribution groups',
    portal: 'Portals',
    feed: 'Update feeds',
  },
  uploadBytes: {
    title: 'Uploaded bytes',
    by: 'sent and reused',
    sent: 'Sent',
    reused: 'Reused from earlier builds',
  },
  later: 'A chart over time appears after three days.',
  otherVersions: 'Other versions',
  deletedStreams: 'Deleted streams',
  noUploads: 'No uploads in this period.',
  noDownloads: 'No downloads in this period.',
  noStorage: 'Nothing was stored in this period.',
}

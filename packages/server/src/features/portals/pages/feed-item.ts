import { filetypeResource } from '../../../catalog/filetypes.ts'
import type { Config } from '../../../config/config.ts'
import { renderUserMarkdown } from '../../../http/pages/user-markdown.ts'
import { formatVersion, isVersionTitle } from '../../../lib/semver.ts'
import type { FeedItem } from './feed-formats.ts'
import type { ReleaseOfPortal } from './portal-contents.db.ts'
import type { VisitedPortal } from './visited-portal.ts'

type Source = {
  release: ReleaseOfPortal
  /** The query that opens a private portal. */
  query: string
}

/** Returns what feeds say about a release, with the primary file of each of its builds. */
export function feedItem(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  portal: VisitedPortal,
  { release, query }: Source,
): FeedItem {
  const { id, title, notes, files, application_name: name } = release
  const version = formatVersion(release)
  const url = `${portal.url}/releases/${id}`
  return {
    id: `tag:${new URL(publicUrl).hostname},2026:releases/${id}`,
    title: `${name} ${version}${isVersionTitle({ title, version }) ? '' : `: ${title}`}`,
    url,
    contentHtml: notes === null || notes.trim() === '' ? '' : renderUserMarkdown(notes).markup,
    publishedAt: release.published_at,
    updatedAt: release.updated_at > release.published_at ? release.updated_at : release.published_at,
    files: files
      .filter(({ role }) => role === 'primary')
      .map((file) => ({
        url: `${url}/download${query === '' ? '?' : `${query}&`}build_id=${file.build_id}&file_id=${file.file_id}`,
        type: filetypeResource(file.filetype).mime_type,
        filename: file.filename,
        sizeBytes: file.size_bytes,
      })),
  }
}

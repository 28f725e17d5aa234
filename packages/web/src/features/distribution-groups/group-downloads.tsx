import type { DistributionGroup, DistributionGroupDownload } from '@quayside/sdk'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { groupText } from '../../text/distribution/distribution-groups.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { IconDownload } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { LoadMore } from '../../ui/loading/load-more.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import { versionText } from '../builds/build.queries.ts'
import classes from './group-members.module.css'
import { groupDownloadsQuery } from './group.queries.ts'

/** Who downloaded which build through a link that was sent to the group, the latest first. */
export function GroupDownloads({ group }: { group: DistributionGroup }) {
  const query = useInfiniteQuery({ ...groupDownloadsQuery(group.id), placeholderData: keepPreviousData })
  return (
    <>
      <Loaded query={query}>
        {({ pages: [first, ...others] }) =>
          first === undefined || first.data.length === 0 ? (
            <EmptyState icon={<IconDownload size={22} />} title="No downloads yet">
              {groupText.noDownloads}
            </EmptyState>
          ) : (
            <ItemList label="Downloads">
              {[first, ...others].flatMap(({ data }) =>
                data.map((download) => <DownloadItem key={download.id} download={download} />),
              )}
            </ItemList>
          )
        }
      </Loaded>
      <LoadMore query={query}>Show more downloads</LoadMore>
    </>
  )
}

function DownloadItem({ download }: { download: DistributionGroupDownload }) {
  const { email, application_id: applicationId, application_name: application, build_id: buildId } = download
  return (
    <Item
      leading={<PlatformIcon platform={download.platform} />}
      title={email ?? 'Hidden address'}
      detail={
        <>
          <Link
            to="/applications/$applicationId/builds/$buildId"
            params={{ applicationId, buildId }}
            className={classes.link}
          >
            {application} {versionText(download)}
          </Link>
          {download.address !== null && <span>{download.address}</span>}
        </>
      }
      menu={
        <span className="soft">
          <RelativeTime time={download.created_at} />
        </span>
      }
    />
  )
}

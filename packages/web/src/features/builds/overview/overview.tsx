import type { FullBuild } from '@quayside/sdk'
import classes from '../details/build-details.module.css'
import { Notes } from './notes.tsx'
import { OverviewAside } from './overview-aside.tsx'
import { PackageDetails } from './package-details.tsx'
import { Permissions } from './permissions.tsx'
import { Provenance } from './provenance.tsx'

/** What a build is: its notes, what its package says, and where it comes from. */
export function Overview({ build }: { build: FullBuild }) {
  return (
    <div className={classes.columns}>
      <div>
        <Notes build={build} />
        <PackageDetails build={build} />
        {build.android_info !== null && (
          <Permissions build={build} permissions={build.android_info.permissions} />
        )}
        <Provenance build={build} />
      </div>
      <OverviewAside build={build} />
    </div>
  )
}

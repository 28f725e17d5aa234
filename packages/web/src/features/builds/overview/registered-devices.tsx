import type { FullBuild } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../../api/session.ts'
import { deviceText } from '../../../text/distribution/devices.ts'
import { Fact } from '../../../ui/fact-list.tsx'
import { buildDevicesQuery } from '../../devices/device.queries.ts'

/** States how many of the registered devices can install a build for iPhones and iPads. */
export function RegisteredDevices({ build }: { build: FullBuild }) {
  const { can } = useSession()
  const isLimited = ['adhoc', 'development', 'enterprise'].includes(build.ios_info?.key_type ?? '')
  const { data } = useQuery({
    ...buildDevicesQuery(build.application_id, build.id),
    enabled: isLimited && can('distribution_groups:read'),
  })
  if (data === undefined || data.registered_count === 0) return null
  return (
    <Fact name="Registered">
      <Link to="/devices">{deviceText.coverage(data.included_count, data.registered_count)}</Link>
    </Fact>
  )
}

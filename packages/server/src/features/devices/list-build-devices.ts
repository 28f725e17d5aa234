import { Type } from 'typebox'
import { requireApplication } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId } from '../../http/endpoint/fields.ts'
import type { IosInfo } from '../../inspection/inspection.ts'
import { requireBuild } from '../builds/build.db.ts'
import { listDevicesOfProfile } from '../builds/inspection/package-detail.db.ts'
import { listAllDevices } from './device.db.ts'

export const listBuildDevices = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/devices',
  scope: { workspace: 'distribution_groups:read' },
  summary: 'List devices for a build',
  description:
    'Lists which of the registered devices can install a build according to its provisioning profile. `includes_all` is `true` for an enterprise profile. Both lists are empty for a build without a profile that lists devices.',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  returns: Type.Object({
    message: Type.String(),
    data: Type.Object(
      {
        registered_count: Type.Integer({ description: 'Number of registered devices.' }),
        included_count: Type.Integer({ description: 'Number of those that can install the build.' }),
        includes_all: Type.Boolean(),
        missing: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
          description: 'The registered devices that the profile does not include. At most 100.',
        }),
      },
      { title: 'BuildDevices' },
    ),
  }),
  async load({ db, actor, params }) {
    const { id } = await requireApplication(db, actor, params.application_id)
    return { build: await requireBuild(db, id, params.build_id) }
  },
  async handle({ build, actor, ...call }) {
    const devices = (await listAllDevices(call.db, actor.workspaceId)).filter(
      ({ platform }) => platform === 'ios',
    )
    const udids = devices.map(({ udid }) => udid)
    const type = (build.ios_info as Partial<IosInfo> | null)?.key_type
    const isLimited = type === 'development' || type === 'adhoc'
    const included = isLimited
      ? await listDevicesOfProfile(call, { workspaceId: actor.workspaceId, buildId: build.id, udids })
      : new Set(type === 'enterprise' ? udids : [])
    const missing = devices.filter(({ udid }) => isLimited && !included.has(udid))
    return {
      message: 'Devices retrieved.',
      data: {
        registered_count: devices.length,
        included_count: included.size,
        includes_all: type === 'enterprise',
        missing: missing.slice(0, maxMissing).map(({ id, name }) => ({ id, name })),
      },
    }
  },
})

const maxMissing = 100

import type { ReplaceCustomTargetIconParams } from '@quayside/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey, workspaceKey } from '../../api/query-keys.ts'

/** The custom targets of an application with those of the workspace, or only the latter without an ID. */
export const customTargetListQuery = (applicationId: string | undefined) =>
  applicationId === undefined ? workspaceCustomTargetsQuery : customTargetsQuery(applicationId)

const workspaceCustomTargetsQuery = queryOptions({
  queryKey: workspaceKey('custom-targets'),
  queryFn: async ({ signal }) => (await api.listWorkspaceCustomTargets({}, { signal })).data,
})

type NewFields = { name: string; description: string | null; platform: string }

export const createCustomTarget = (applicationId: string | undefined, body: NewFields) =>
  applicationId === undefined
    ? api.createWorkspaceCustomTarget({ body })
    : api.createCustomTarget({ application_id: applicationId, body })

export const updateCustomTarget = (
  applicationId: string | undefined,
  id: string,
  body: Omit<NewFields, 'platform'>,
) =>
  applicationId === undefined
    ? api.updateWorkspaceCustomTarget({ target_identifier: id, body })
    : api.updateCustomTarget({ application_id: applicationId, target_identifier: id, body })

export const deleteCustomTarget = (applicationId: string | undefined, id: string) =>
  applicationId === undefined
    ? api.deleteWorkspaceCustomTarget({ target_identifier: id })
    : api.deleteCustomTarget({ application_id: applicationId, target_identifier: id })

export const replaceCustomTargetIcon = (
  applicationId: string | undefined,
  id: string,
  body: ReplaceCustomTargetIconParams['body'],
) =>
  applicationId === undefined
    ? api.replaceWorkspaceCustomTargetIcon({ target_identifier: id, body })
    : api.replaceCustomTargetIcon({ application_id: applicationId, target_identifier: id, body })

export const deleteCustomTargetIcon = (applicationId: string | undefined, id: string) =>
  applicationId === undefined
    ? api.deleteWorkspaceCustomTargetIcon({ target_identifier: id })
    : api.deleteCustomTargetIcon({ application_id: applicationId, target_identifier: id })

export const customTargetsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'custom-targets'),
    queryFn: async ({ signal }) =>
      (await api.listCustomTargets({ application_id: applicationId }, { signal })).data,
  })

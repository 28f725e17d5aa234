import type { Label } from '@quayside/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey, workspaceKey } from '../../api/query-keys.ts'

/** The labels of an application with those of the workspace, or only the latter without an ID. */
export const labelListQuery = (applicationId: string | undefined) =>
  applicationId === undefined ? workspaceLabelsQuery : labelsQuery(applicationId)

const workspaceLabelsQuery = queryOptions({
  queryKey: workspaceKey('labels'),
  queryFn: async ({ signal }) => (await api.listWorkspaceLabels({}, { signal })).data,
})

export type LabelFields = Pick<Label, 'name' | 'description' | 'color'>

export const createLabel = (applicationId: string | undefined, body: LabelFields) =>
  applicationId === undefined
    ? api.createWorkspaceLabel({ body })
    : api.createLabel({ application_id: applicationId, body })

export const updateLabel = (applicationId: string | undefined, id: string, body: LabelFields) =>
  applicationId === undefined
    ? api.updateWorkspaceLabel({ label_identifier: id, body })
    : api.updateLabel({ application_id: applicationId, label_identifier: id, body })

export const deleteLabel = (applicationId: string | undefined, id: string) =>
  applicationId === undefined
    ? api.deleteWorkspaceLabel({ label_identifier: id })
    : api.deleteLabel({ application_id: applicationId, label_identifier: id })

/** The labels of an application, including those of the workspace. */
export const labelsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'labels'),
    queryFn: async ({ signal }) => (await api.listLabels({ application_id: applicationId }, { signal })).data,
  })

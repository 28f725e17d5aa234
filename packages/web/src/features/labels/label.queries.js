import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { labelsQuery } from '../builds/build.queries.ts';
/** The labels of an application with those of the workspace, or only the latter without an ID. */
export const labelListQuery = (applicationId) => applicationId === undefined ? workspaceLabelsQuery : labelsQuery(applicationId);
const workspaceLabelsQuery = queryOptions({
    queryKey: ['workspace', '', 'labels'],
    queryFn: async ({ signal }) => (await api.listWorkspaceLabels({}, { signal })).data,
});
export const createLabel = (applicationId, body) => applicationId === undefined
    ? api.createWorkspaceLabel({ body })
    : api.createLabel({ application_id: applicationId, body });
export const updateLabel = (applicationId, id, body) => applicationId === undefined
    ? api.updateWorkspaceLabel({ label_identifier: id, body })
    : api.updateLabel({ application_id: applicationId, label_identifier: id, body });
export const deleteLabel = (applicationId, id) => applicationId === undefined
    ? api.deleteWorkspaceLabel({ label_identifier: id })
    : api.deleteLabel({ application_id: applicationId, label_identifier: id });

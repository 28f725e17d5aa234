import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { customTargetsQuery } from '../builds/build.queries.ts';
/** The custom targets of an application with those of the workspace, or only the latter without an ID. */
export const customTargetListQuery = (applicationId) => applicationId === undefined ? workspaceCustomTargetsQuery : customTargetsQuery(applicationId);
const workspaceCustomTargetsQuery = queryOptions({
    queryKey: ['workspace', '', 'custom-targets'],
    queryFn: async ({ signal }) => (await api.listWorkspaceCustomTargets({}, { signal })).data,
});
export const createCustomTarget = (applicationId, body) => applicationId === undefined
    ? api.createWorkspaceCustomTarget({ body })
    : api.createCustomTarget({ application_id: applicationId, body });
export const updateCustomTarget = (applicationId, id, body) => applicationId === undefined
    ? api.updateWorkspaceCustomTarget({ target_identifier: id, body })
    : api.updateCustomTarget({ application_id: applicationId, target_identifier: id, body });
export const deleteCustomTarget = (applicationId, id) => applicationId === undefined
    ? api.deleteWorkspaceCustomTarget({ target_identifier: id })
    : api.deleteCustomTarget({ application_id: applicationId, target_identifier: id });
export const replaceCustomTargetIcon = (applicationId, id, body) => applicationId === undefined
    ? api.replaceWorkspaceCustomTargetIcon({ target_identifier: id, body })
    : api.replaceCustomTargetIcon({ application_id: applicationId, target_identifier: id, body });
export const deleteCustomTargetIcon = (applicationId, id) => applicationId === undefined
    ? api.deleteWorkspaceCustomTargetIcon({ target_identifier: id })
    : api.deleteCustomTargetIcon({ application_id: applicationId, target_identifier: id });

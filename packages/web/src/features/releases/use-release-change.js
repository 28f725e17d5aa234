import { useQueryClient } from '@tanstack/react-query';
import { releaseQuery } from './release.queries.ts';
/** Returns a function that sends a change, shows the returned release at once, and reloads what depends on it. */
export function useReleaseChange({ application_id: applicationId, id }) {
    const queryClient = useQueryClient();
    return async (send) => {
        const response = await send();
        queryClient.setQueryData(releaseQuery(applicationId, id).queryKey, response.data);
        await queryClient.invalidateQueries({ queryKey: ['applications', applicationId, 'releases'] });
        return response;
    };
}
/** The parameters of every call about a release. */
export const releasePath = ({ application_id, id }) => ({ application_id, release_id: id });

import { useQueryClient } from '@tanstack/react-query';
import { useBuildAction } from '../build-actions.ts';
import { buildQuery } from '../build.queries.ts';
/** Returns a function that applies an action to the build of the page, which shows the result at once. */
export function useBuildChange(build) {
    const queryClient = useQueryClient();
    const run = useBuildAction(build.application_id);
    const { queryKey } = buildQuery(build.application_id, build.id);
    return async (action) => {
        const preview = action.preview(build);
        if (preview !== undefined)
            queryClient.setQueryData(queryKey, (shown) => shown && { ...shown, ...preview });
        await run([build], action);
    };
}

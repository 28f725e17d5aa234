import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { plural } from '../../ui/bytes.ts';
import { showFailure, showUndo } from '../../ui/toast.tsx';
const maxBatch = 100;
/**
 * Returns a function that applies an action to builds. The list shows the result at once; if the server refuses it for
 * some builds, the list is loaded again and the first reason is shown.
 */
export function useBuildAction(applicationId) {
    const queryClient = useQueryClient();
    const listKey = ['applications', applicationId, 'builds'];
    async function send(buildIds, body) {
        const done = [];
        for (let start = 0; start < buildIds.length; start += maxBatch) {
            const batch = buildIds.slice(start, start + maxBatch);
            const { data } = await api.updateBuilds({
                application_id: applicationId,
                body: { ...body, build_ids: batch },
            });
            done.push(...data.filter((result) => result.done).map(({ build_id: id }) => id));
            const refused = data.find((result) => !result.done);
            if (refused !== undefined)
                throw new PartlyRefusedError(refused.message, done, refused.code ?? '');
        }
        return done;
    }
    return async function run(builds, { body, done, undo, preview }) {
        const ids = builds.map(({ id }) => id);
        await queryClient.cancelQueries({ queryKey: listKey });
        previewInLists(queryClient, applicationId, new Set(ids), preview);
        try {
            const changed = await send(ids, body);
            showUndo(`${plural(changed.length, 'build')} ${done}.`, undo && (() => void send(changed, undo).catch(showFailure).finally(refresh)));
        }
        catch (error) {
            showFailure(error);
        }
        finally {
            void refresh();
        }
    };
    function refresh() {
        return queryClient.invalidateQueries({ queryKey: listKey });
    }
}
/** Thrown if the server applied an action only to some of the builds. */
class PartlyRefusedError extends Error {
    name = 'PartlyRefusedError';
    done;
    code;
    constructor(message, done, code) {
        super(message);
        this.done = done;
        this.code = code;
    }
}
function previewInLists(queryClient, applicationId, ids, preview) {
    queryClient.setQueriesData({ queryKey: ['applications', applicationId, 'builds', 'list'] }, (page) => page && {
        ...page,
        data: page.data.flatMap((build) => (ids.has(build.id) ? (preview(build) ?? []) : [build])),
    });
}

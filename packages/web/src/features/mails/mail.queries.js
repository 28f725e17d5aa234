import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
/** A page of the emails of the workspace, newest first. */
export const mailPageQuery = (page, state) => queryOptions({
    queryKey: ['workspace', 'mails', state ?? 'all', page],
    queryFn: ({ signal }) => api.listMails({
        page,
        per_page: 25,
        sort_by: 'created_at',
        sort: 'desc',
        ...(state === undefined ? {} : { state }),
    }, { signal }),
    placeholderData: keepPreviousData,
});

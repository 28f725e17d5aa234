import { jsx as _jsx } from "react/jsx-runtime";
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { applicationQuery } from '../applications/application.queries.ts';
import { streamsQuery } from '../builds/build.queries.ts';
import { StreamDetails } from './details/stream-details.tsx';
import { StreamList } from './list/stream-list.tsx';
const route = getRouteApi('/console/applications/$applicationId/streams');
/** The streams of an application, or the one that the URL names. */
export function StreamListPage() {
    const { applicationId } = route.useParams();
    const { stream: selected } = route.useSearch();
    const { data: application } = useSuspenseQuery(applicationQuery(applicationId));
    const { data: streams, error, refetch } = useQuery(streamsQuery(applicationId));
    if (error !== null)
        return _jsx(FailureBanner, { error: error, onRetry: () => void refetch() });
    const stream = streams?.find(({ id, name }) => id === selected || name === selected);
    return stream === undefined ? (_jsx(StreamList, { application: application, streams: streams, unknown: streams && selected })) : (_jsx(StreamDetails, { application: application, stream: stream, streams: streams ?? [] }, stream.id));
}

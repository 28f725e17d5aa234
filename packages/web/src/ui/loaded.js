import { jsx as _jsx } from "react/jsx-runtime";
import { Skeleton, Stack } from '@mantine/core';
import { FailureBanner } from './failure-banner.tsx';
/** Shows lines in the shape of a list until a query has loaded, then its data, or why it failed. */
export function Loaded({ query: { data, error, refetch }, rows = 4, children }) {
    if (data !== undefined)
        return children(data);
    if (error !== null)
        return _jsx(FailureBanner, { error: error, onRetry: () => void refetch() });
    return (_jsx(Stack, { gap: 1, "aria-busy": true, "aria-label": "Loading", children: Array.from({ length: rows }, (_, index) => (_jsx(Skeleton, { height: 56, radius: "md" }, index))) }));
}

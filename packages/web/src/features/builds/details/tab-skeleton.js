import { jsx as _jsx } from "react/jsx-runtime";
import { Skeleton } from '@mantine/core';
/** Stands for the rows of a tab while they load. */
export function TabSkeleton() {
    return (_jsx("div", { "aria-busy": true, "aria-label": "Loading", children: Array.from({ length: 5 }, (_, index) => (_jsx(Skeleton, { height: 40, mb: 8 }, index))) }));
}

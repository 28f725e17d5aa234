import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton, Stack } from '@mantine/core';
/** Stands for a page while it loads: a title and rows. */
export function PageSkeleton() {
    return (_jsxs(Stack, { gap: "sm", "aria-busy": true, "aria-label": "Loading", children: [_jsx(Skeleton, { height: 28, width: "18rem" }), _jsx(Skeleton, { height: 14, width: "28rem", maw: "100%", mb: "md" }), Array.from({ length: 8 }, (_, index) => (_jsx(Skeleton, { height: 36 }, index)))] }));
}

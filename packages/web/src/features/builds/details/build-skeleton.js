import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Skeleton } from '@mantine/core';
import classes from './build-details.module.css';
/** Stands for the page of a build while it loads. */
export function BuildSkeleton() {
    return (_jsxs("div", { "aria-busy": true, "aria-label": "Loading the build", children: [_jsx(Skeleton, { height: 16, width: "5rem", mb: "sm" }), _jsxs("div", { className: classes.skeletonHead, children: [_jsx(Skeleton, { height: 56, width: 56, radius: 13 }), _jsxs("div", { className: classes.skeletonText, children: [_jsx(Skeleton, { height: 22, width: "16rem", maw: "80%" }), _jsx(Skeleton, { height: 14, width: "30rem", maw: "100%", mt: 10 })] })] }), _jsx(Skeleton, { height: 36, mt: "lg", mb: "lg" }), _jsxs("div", { className: classes.columns, children: [_jsx("div", { children: Array.from({ length: 8 }, (_, index) => (_jsx(Skeleton, { height: 14, mb: 20, width: index % 2 === 0 ? '80%' : '60%' }, index))) }), _jsx(Skeleton, { height: 220 })] })] }));
}

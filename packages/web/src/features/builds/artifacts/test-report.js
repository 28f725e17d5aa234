import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { IconCheck, IconChevronDown, IconMinus, IconX } from '@tabler/icons-react';
import { buildText } from '../../../text/build.ts';
import { plural } from '../../../ui/bytes.ts';
import classes from './artifacts.module.css';
/** Shows the suites of a test report. Suites and tests that failed come first and are open. */
export function TestReport({ suites }) {
    const sum = (count) => suites.reduce((total, suite) => total + count(suite), 0);
    const failed = sum((suite) => suite.failed);
    const skipped = sum((suite) => suite.skipped);
    return (_jsxs(_Fragment, { children: [_jsxs("div", { className: classes.summary, children: [_jsx("strong", { className: failed > 0 ? classes.failed : classes.passed, children: failed > 0 ? `${plural(failed, 'test')} failed` : buildText.artifacts.allPassed }), _jsxs("span", { children: [plural(sum(({ cases }) => cases.length) - failed - skipped, 'test'), " passed"] }), skipped > 0 && _jsxs("span", { children: [skipped, " skipped"] }), _jsx("span", { className: classes.count, children: secondsText(sum(({ seconds }) => seconds)) })] }), suites.map((suite, index) => (_jsxs("details", { className: classes.suite, open: suite.failed > 0, children: [_jsxs("summary", { children: [_jsx("span", { children: suite.name }), _jsx("span", { className: suite.failed > 0 ? classes.failed : classes.count, children: suite.failed > 0
                                    ? `${suite.failed} of ${suite.cases.length} failed`
                                    : plural(suite.cases.length, 'test') }), _jsx("span", { className: classes.count, children: secondsText(suite.seconds) }), _jsx(IconChevronDown, { size: 14, "aria-hidden": true })] }), _jsx("ul", { className: classes.cases, children: suite.cases.map((test, position) => (_jsx(Test, { test: test, suite: suite }, `${position} ${test.name}`))) })] }, `${index} ${suite.name}`)))] }));
}
const icons = {
    passed: _jsx(IconCheck, { size: 14, color: "var(--q-good)", role: "img", "aria-label": "Passed" }),
    failed: _jsx(IconX, { size: 14, color: "var(--q-bad)", role: "img", "aria-label": "Failed" }),
    skipped: _jsx(IconMinus, { size: 14, color: "var(--q-soft)", role: "img", "aria-label": "Skipped" }),
};
function Test({ test, suite }) {
    return (_jsxs("li", { className: classes.case, children: [icons[test.state], _jsxs("span", { children: [test.className !== '' && test.className !== suite.name && (_jsxs("span", { className: classes.count, children: [test.className, " \u203A "] })), test.name] }), _jsx("span", { className: classes.count, children: secondsText(test.seconds) }), test.detail !== '' && _jsx("pre", { className: classes.detail, children: test.detail })] }));
}
const secondsText = (seconds) => seconds >= 60
    ? `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
    : seconds >= 1
        ? `${seconds.toFixed(1)} s`
        : `${Math.round(seconds * 1000)} ms`;

/** Returns the suites of a JUnit report, those with failures first; undefined if the text is not such a report. */
export function parseJunit(text) {
    const document = new DOMParser().parseFromString(text, 'application/xml');
    const root = document.documentElement;
    if (document.querySelector('parsererror') !== null)
        return undefined;
    if (root.tagName !== 'testsuites' && root.tagName !== 'testsuite')
        return undefined;
    const suites = [...root.querySelectorAll('testsuite')];
    if (root.tagName === 'testsuite')
        suites.push(root);
    return suites
        .map(readSuite)
        .filter(({ cases }) => cases.length > 0)
        .toSorted((a, b) => b.failed - a.failed);
}
function readSuite(element) {
    const order = { failed: 0, skipped: 1, passed: 2 };
    const cases = [...element.children]
        .filter(({ tagName }) => tagName === 'testcase')
        .map(readCase)
        .toSorted((a, b) => order[a.state] - order[b.state]);
    const count = (state) => cases.filter((each) => each.state === state).length;
    return {
        name: element.getAttribute('name') ?? 'Tests',
        seconds: secondsOf(element) || cases.reduce((sum, { seconds }) => sum + seconds, 0),
        cases,
        failed: count('failed'),
        skipped: count('skipped'),
    };
}
function readCase(element) {
    const child = (...names) => [...element.children].find(({ tagName }) => names.includes(tagName));
    const problem = child('failure', 'error');
    const skipped = child('skipped');
    const detail = [problem?.getAttribute('message'), problem?.textContent, skipped?.getAttribute('message')];
    return {
        name: element.getAttribute('name') ?? 'Unnamed test',
        className: element.getAttribute('classname') ?? '',
        seconds: secondsOf(element),
        state: problem !== undefined ? 'failed' : skipped === undefined ? 'passed' : 'skipped',
        detail: [...new Set(detail.map((part) => part?.trim() ?? ''))].filter((part) => part !== '').join('\n'),
    };
}
const secondsOf = (element) => Number(element.getAttribute('time')?.replaceAll(',', '')) || 0;

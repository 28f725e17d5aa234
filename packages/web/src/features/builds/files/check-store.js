let check;
/** Sets what checks a chosen file. The page of a build sets it, because a file can be dropped on every tab. */
export function setCheck(next) {
    check = next;
}
/** Compares a local file with the build of the page. */
export const checkFile = (file) => check?.(file);

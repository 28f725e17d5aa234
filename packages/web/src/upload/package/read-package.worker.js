import { readPackage } from './read-package.ts';
// Packages can be hostile. In a worker, a reader that takes too long can be stopped without blocking the page.
self.addEventListener('message', ({ data }) => {
    readPackage(data.file, data.filename).then((content) => self.postMessage(content), () => self.postMessage(undefined));
});
